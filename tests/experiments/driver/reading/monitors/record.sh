#!/bin/bash
# Records the files beside it anew, by the monitors that Debian has: tests/experiments/driver/reading/monitors/record.sh
# [FOLDER]. Takes packages apart in a temporary folder (apt-get download), so that nothing is installed; needs two minutes,
# root for none of it. The tests need the files alone. README.md says which of them are written by hand, and after what.
set -eu
export LC_ALL=C.UTF-8 TZ=UTC
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
work=$(mktemp -d)
pids=()
trap '[ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2> /dev/null || true; rm -rf "$work"' EXIT

packages="sysstat dstat python3-six prometheus prometheus-node-exporter locales"
(cd "$work" && apt-get download $packages > /dev/null && for deb in *.deb; do dpkg -x "$deb" root; done)
{
  for package in $packages; do (cd "$work" && ls "${package}"_*.deb | head -n 1); done
  vmstat --version
} | sed 's/%3a/:/g' > "$out/versions.txt"
usr=$work/root/usr
ln -s sar.sysstat "$usr/bin/sar"
# Debian's dstat of Python 3 fails where it writes CSV, for a name of Python 2.
sed -i 's/types.ListType/list/; s/types.TupleType/tuple/; s/types.StringType/str/' "$usr/bin/dstat"
export PATH=$usr/bin:$usr/lib/sysstat:$usr/sbin:$PATH PYTHONPATH=$usr/lib/python3/dist-packages:$usr/share/dstat
export LOCPATH=$work/locales I18NPATH=$usr/share/i18n
mkdir "$LOCPATH"
for locale in en_US de_DE; do localedef -i $locale -f UTF-8 "$LOCPATH/$locale.UTF-8" || true; done
in_english() { LC_ALL=en_US.UTF-8 "$@"; }
in_german() { LC_ALL=de_DE.UTF-8 "$@"; }

# Something to see: half of one core and more, in bursts of two seconds.
(while :; do timeout 2 sh -c 'while :; do :; done' || true; sleep 2; done) &
pids+=($!)

at_once() { "$@" & recorders+=($!); }
recorders=()
all() { for pid in "${recorders[@]}"; do wait "$pid"; done; recorders=(); }

# sysstat: two runs of the machine in one file, with a comment; then what is made of it.
(sadc -F "$work/day" && sadc 1 8 "$work/day" && sadc -C "cleaned the fan" "$work/day" && sadc -F "$work/day" && sleep 3 && sadc 1 6 "$work/day") &
recorders+=($!)
at_once sh -c "LC_ALL=en_US.UTF-8 mpstat 1 10 > '$out/mpstat.txt'"
at_once sh -c "mpstat -P ALL 1 6 > '$out/mpstat-all.txt'"
at_once sh -c "vmstat -t 1 10 > '$out/vmstat.txt'"
for flags in w tw n; do at_once sh -c "vmstat -$flags 1 10 > '$out/vmstat-$flags.txt'"; done
at_once sh -c "top -b -d 1 -n 10 -p 1 > '$out/top.txt'"
at_once sh -c "LC_ALL=de_DE.UTF-8 top -b -d 1 -n 5 -p 1 > '$out/top-german.txt'"
cd "$work"  # dstat writes its command line
at_once sh -c "dstat --nocolor -t -c -d -n --output time.csv 1 10 > /dev/null"
at_once sh -c "dstat --nocolor -T -c --output epoch.csv 1 10 > /dev/null"
at_once sh -c "dstat --nocolor -c -m --output plain.csv 1 10 > /dev/null"
at_once sh -c "for i in 1 2 3 4 5 6 7 8 9 10; do date; grep '^cpu ' /proc/stat; sleep 1; done > '$out/proc-stat.txt'"
at_once sh -c "for i in 1 2 3 4 5; do cat /proc/stat | cut -c -80; sleep 1; done > '$out/proc-stat-whole.txt'"
at_once sh -c "for i in 1 2 3 4 5 6; do echo \$(date -Is) \$(head -n 1 /proc/stat); sleep 1; done > '$out/proc-stat-line.txt'"
all
mv "$work/time.csv" "$out/dstat.csv"
for kind in epoch plain; do mv "$work/$kind.csv" "$out/dstat-$kind.csv"; done
in_english sar -u -f "$work/day" > "$out/sar.txt"
in_german sar -u ALL -f "$work/day" > "$out/sar-german.txt"
sar -u -C -f "$work/day" > "$out/sar-restart.txt"
in_english sar -A -f "$work/day" | cut -c -120 | head -n 80 > "$out/sar-everything.txt"
sadf -d "$work/day" -- -u > "$out/sadf.txt"
sadf -d -C -T "$work/day" -- -u -P ALL > "$out/sadf-comments.txt"

# Prometheus, with two exporters that stand for two machines.
cat > "$work/prometheus.yml" << YAML
global: {scrape_interval: 1s}
scrape_configs: [{job_name: node, static_configs: [{targets: ['127.0.0.1:29100', '127.0.0.1:29101']}]}]
YAML
for port in 29100 29101; do
  prometheus-node-exporter --collector.disable-defaults --collector.cpu --web.listen-address=127.0.0.1:$port 2> /dev/null &
  pids+=($!)
done
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/db" --web.listen-address=127.0.0.1:29090 2> /dev/null &
pids+=($!)
sleep 25
ask() { # QUERY: the last twelve seconds
  now=$(date +%s)
  curl -sG http://127.0.0.1:29090/api/v1/query_range --data-urlencode "query=$1" -d start=$((now - 12)) -d end=$now -d step=1
}
ask '100 * (1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[5s])))' > "$out/prometheus.json"
ask '100 * (1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle",instance="127.0.0.1:29100"}[5s])))' > "$out/prometheus-one.json"
# Prometheus writes no CSV itself; this is how its users make some, by jq's @csv or a script.
python3 - "$out/prometheus.json" > "$out/prometheus.csv" << 'PYTHON'
import csv, json, sys
rows = csv.writer(sys.stdout, lineterminator="\n")
rows.writerow(["timestamp", "instance", "value"])
for series in json.load(open(sys.argv[1]))["data"]["result"]:
    rows.writerows([stamp, series["metric"]["instance"], value] for stamp, value in series["values"])
PYTHON
