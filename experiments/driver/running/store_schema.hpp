// The store's tables, as this room's README documents them.
#pragma once

namespace nowsim {

/// "nows": what the database's header says it is.
inline constexpr int kStoreApplication = 0x6e6f7773;
/// Of the tables; to be raised with every change of them.
inline constexpr int kStoreFormat = 3;
/// The format before, which had no checksums but those of batches' results: it is read as it is, and brought up to date
/// where it is written.
inline constexpr int kUnsealedFormat = 2;
inline constexpr const char* kAddSeals = R"sql(
ALTER TABLE scenario ADD COLUMN checksum INTEGER;
ALTER TABLE batch ADD COLUMN row_checksum INTEGER;
ALTER TABLE experiment ADD COLUMN checksum INTEGER;
ALTER TABLE point ADD COLUMN checksum INTEGER;
)sql";
/// For reading it: the same names with a seal that is not there.
inline constexpr const char* kViewsWithoutSeals = R"sql(
PRAGMA temp_store=MEMORY;
CREATE TEMP VIEW scenario AS SELECT *, NULL AS checksum FROM main.scenario;
CREATE TEMP VIEW batch AS SELECT *, NULL AS row_checksum FROM main.batch;
CREATE TEMP VIEW experiment AS SELECT *, NULL AS checksum FROM main.experiment;
CREATE TEMP VIEW point AS SELECT *, NULL AS checksum FROM main.point;
)sql";

inline constexpr const char* kStoreSchema = R"sql(
CREATE TABLE scenario (            -- machines, owners, program, split and seed, as resolved
  id            INTEGER PRIMARY KEY,
  key           TEXT NOT NULL UNIQUE,      -- hash of all that the results depend on
  engine        TEXT NOT NULL,
  model_version INTEGER NOT NULL,          -- of the simulator's answers; part of the key
  seed          INTEGER NOT NULL,
  workstations  INTEGER NOT NULL,
  description   TEXT NOT NULL,
  checksum      INTEGER                    -- of the other columns; NULL: from a store without
);
CREATE TABLE batch (               -- a range of replications, simulated at once
  id              INTEGER PRIMARY KEY,
  scenario        INTEGER NOT NULL REFERENCES scenario,
  first           INTEGER NOT NULL,        -- replication
  replications    INTEGER NOT NULL,
  mean_makespan_s REAL NOT NULL,           -- of T
  m2_makespan_s2  REAL NOT NULL,           -- sum of (T - mean)^2
  min_makespan_s  REAL NOT NULL,
  max_makespan_s  REAL NOT NULL,
  seconds         REAL NOT NULL,           -- it took, on the wall clock
  version         TEXT NOT NULL,           -- of the program
  checksum        INTEGER NOT NULL,        -- of results: XXH3, 64 bits
  row_checksum    INTEGER,                 -- of the columns before; NULL: from a store without
  results         BLOB NOT NULL,           -- everything, packed
  UNIQUE (scenario, first, replications)
);
CREATE TABLE failure (             -- batches that could not be completed, until they are
  scenario     INTEGER NOT NULL REFERENCES scenario,
  first        INTEGER NOT NULL,
  replications INTEGER NOT NULL,
  reason       TEXT NOT NULL,
  version      TEXT NOT NULL,
  PRIMARY KEY (scenario, first, replications)
);
CREATE TABLE experiment (
  id    INTEGER PRIMARY KEY,
  name  TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  file  TEXT NOT NULL,
  checksum INTEGER                         -- with its axes, metrics and number of points; NULL: from a store without
);
CREATE TABLE axis (
  experiment INTEGER NOT NULL REFERENCES experiment,
  position   INTEGER NOT NULL,             -- from 0; the last axis runs fastest
  name       TEXT NOT NULL,
  PRIMARY KEY (experiment, position)
);
CREATE TABLE metric (
  experiment INTEGER NOT NULL REFERENCES experiment,
  position   INTEGER NOT NULL,
  name       TEXT NOT NULL,
  PRIMARY KEY (experiment, position)
);
CREATE TABLE point (
  id           INTEGER PRIMARY KEY,
  experiment   INTEGER NOT NULL REFERENCES experiment,
  position     INTEGER NOT NULL,           -- from 0, in the order of the sweep
  scenario     INTEGER REFERENCES scenario,  -- NULL: infeasible
  baseline     INTEGER REFERENCES scenario,  -- of the speedup
  status       TEXT NOT NULL,              -- pending, ok, infeasible, failed
  reason       TEXT NOT NULL,              -- of the latter two
  replications INTEGER NOT NULL,
  seed         INTEGER NOT NULL,
  confidence   REAL NOT NULL,
  engine       TEXT NOT NULL,
  version      TEXT NOT NULL,              -- of the program(s) that simulated it
  checksum     INTEGER,                    -- with its axis values and estimates; NULL: from a store without
  UNIQUE (experiment, position)
);
CREATE TABLE axis_value (
  point    INTEGER NOT NULL REFERENCES point,
  position INTEGER NOT NULL,               -- of the axis
  name     TEXT NOT NULL,
  value    TEXT NOT NULL,                  -- as written, with its unit
  PRIMARY KEY (point, position)
) WITHOUT ROWID;
CREATE TABLE estimate (            -- of complete points, in SI units
  point       INTEGER NOT NULL REFERENCES point,
  metric      TEXT NOT NULL,
  workstation INTEGER NOT NULL,            -- 0: of the whole run; else from 1
  name        TEXT NOT NULL,               -- of the workstation
  value       REAL,                        -- NULL: not known
  low         REAL,                        -- ends of the interval at the point's confidence
  high        REAL,
  PRIMARY KEY (point, metric, workstation)
) WITHOUT ROWID;
CREATE TABLE written_file (name TEXT PRIMARY KEY, checksum INTEGER NOT NULL) WITHOUT ROWID;
)sql";

/// Made when the first scenario needs it, so that stores from before it need no change.
inline constexpr const char* kVarianceReductionTable = R"sql(
CREATE TABLE IF NOT EXISTS variance_reduction (  -- of the scenarios that have one
  scenario INTEGER PRIMARY KEY REFERENCES scenario,
  name     TEXT NOT NULL                   -- antithetic, control-variates, both
);
)sql";

/// Made with the first experiment of which it is known; likewise.
inline constexpr const char* kOriginTable = R"sql(
CREATE TABLE IF NOT EXISTS origin (        -- what an experiment was read from
  experiment INTEGER NOT NULL REFERENCES experiment,
  kind       TEXT NOT NULL,                -- file (the first is the description), flag, code, folder (of flags' paths)
  position   INTEGER NOT NULL,             -- from 0
  value      TEXT NOT NULL,                -- a file's absolute path, key=value, workload 'mine'
  checksum   INTEGER,                      -- of a file's bytes: XXH3, 64 bits; NULL: not known
  PRIMARY KEY (experiment, kind, position)
) WITHOUT ROWID;
)sql";

/// Made with the first split that was found by simulation; likewise.
inline constexpr const char* kSplitTable = R"sql(
CREATE TABLE IF NOT EXISTS split (
  key       TEXT PRIMARY KEY,              -- of the scenario but for its shares, and in words what was asked for
  policy    TEXT NOT NULL,
  objective TEXT NOT NULL,
  version   TEXT NOT NULL,                 -- of the program
  checksum  INTEGER NOT NULL,              -- of report: XXH3, 64 bits
  report    BLOB NOT NULL                  -- the shares and all that is known of them, packed
) WITHOUT ROWID;
)sql";

/// Made with the first point about which something is decided; likewise.
inline constexpr const char* kDecisionTable = R"sql(
CREATE TABLE IF NOT EXISTS decision (
  point        INTEGER PRIMARY KEY REFERENCES point,
  key          TEXT NOT NULL,              -- the swept key whose best value is told
  metric       TEXT NOT NULL,              -- by which
  asked        REAL NOT NULL,              -- the indifference as it was asked for
  indifference REAL NOT NULL,              -- in the metric's unit
  standing     TEXT NOT NULL,              -- best, equal, worse, open
  cell         INTEGER NOT NULL            -- position of the first point that it was compared with
);
)sql";

/// Made where what shards have published is taken in.
inline constexpr const char* kMergedTables = R"sql(
CREATE TABLE IF NOT EXISTS piece (         -- what shards published and is taken in
  number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, id TEXT NOT NULL, experiment TEXT NOT NULL, shard INTEGER NOT NULL, shards INTEGER NOT NULL,
  round INTEGER NOT NULL, host TEXT NOT NULL, processor TEXT NOT NULL, program TEXT NOT NULL, version TEXT NOT NULL,
  job TEXT NOT NULL, began TEXT NOT NULL, ended TEXT NOT NULL, batches INTEGER NOT NULL, replications INTEGER NOT NULL,
  failures INTEGER NOT NULL, seconds REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS batch_piece (batch INTEGER PRIMARY KEY, piece INTEGER NOT NULL);  -- where it came from
CREATE TABLE IF NOT EXISTS quarantine (    -- results that do not count, since another attempt had others
  scenario     TEXT NOT NULL,              -- key
  first        INTEGER NOT NULL,
  replications INTEGER NOT NULL,
  checksum     INTEGER NOT NULL,
  kept         INTEGER NOT NULL,           -- checksum of those that count
  other_by     TEXT NOT NULL,
  kept_by      TEXT NOT NULL,
  results      BLOB NOT NULL,
  PRIMARY KEY (scenario, first, replications, checksum)
) WITHOUT ROWID;
)sql";

/// Of a piece alone, which is a store otherwise (shards/piece.hpp).
inline constexpr const char* kAttemptTable = R"sql(
CREATE TABLE IF NOT EXISTS attempt (             -- who simulated what is here; one row
  id TEXT NOT NULL, experiment TEXT NOT NULL, shard INTEGER NOT NULL, shards INTEGER NOT NULL, round INTEGER NOT NULL,
  host TEXT NOT NULL, processor TEXT NOT NULL, program TEXT NOT NULL, version TEXT NOT NULL, job TEXT NOT NULL,
  began TEXT NOT NULL, ended TEXT NOT NULL,
  batches INTEGER NOT NULL, replications INTEGER NOT NULL, failures INTEGER NOT NULL, seconds REAL NOT NULL
);
)sql";

}  // namespace nowsim
