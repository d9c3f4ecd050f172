# Completion of nowsim in bash: the program says what can follow (nowsim complete), here it is put on the line.
# Installed in share/bash-completion/completions; from a clone:  . tools/completion/nowsim.bash

_nowsim() {
  local program=${BASH_ALIASES[$1]:-$1}
  program=${program%% *}
  # bash cuts words at '=' and ':', as key=value has them: they are joined again.
  local typed=() joins='' k
  for ((k = 1; k <= COMP_CWORD; ++k)); do
    if [[ $k -gt 1 && ( $joins || ${COMP_WORDS[k]} == [=:]* ) ]]; then
      typed[-1]+=${COMP_WORDS[k]}
    else
      typed+=("${COMP_WORDS[k]}")
    fi
    if [[ ${COMP_WORDS[k]} == *[=:] ]]; then joins=1; else joins=''; fi
  done
  # Of the word at the cursor bash replaces what is behind the last cut, or behind a quote that is open.
  local word=${typed[-1]} here=${COMP_WORDS[COMP_CWORD]} quote=''
  if [[ $here == [=:] ]]; then here=''; fi
  case $word in [\"\']*) quote=${word:0:1}; here=${here#"$quote"}; esac
  for ((k = 0; k < ${#typed[@]}; ++k)); do
    case ${typed[k]} in [\"\']*) typed[k]=${typed[k]#[\"\']}; typed[k]=${typed[k]%[\"\']}; esac
  done
  word=${typed[-1]}
  local before=${word%"$here"}

  local answer files line
  mapfile -t answer < <("$program" complete "${typed[@]}" 2>/dev/null)
  files=${answer[0]--}
  if [[ $files == *goes-on* ]]; then compopt -o nospace; files=${files/ goes-on/}; fi
  COMPREPLY=()
  for line in "${answer[@]:1}"; do
    line=${line%%$'\t'*}
    COMPREPLY+=("${line#"$before"}")
  done

  # Files by their endings, and the folders on the way to them. '~' is bash's own.
  if [[ $files != - ]]; then
    local path=$here found keep ending
    while IFS= read -r found; do
      keep=''
      if [[ -d ${found/#~\//$HOME/} ]]; then found+=/; keep=1; fi
      if [[ $files == files ]]; then keep=1; fi
      if [[ $files == files\ * ]]; then
        for ending in ${files#files }; do [[ $found == *"$ending" ]] && keep=1; done
      fi
      if [[ ! $keep ]]; then continue; fi
      if [[ $quote ]]; then COMPREPLY+=("$found"); else COMPREPLY+=("$(printf %q "$found")"); fi
    done < <(compgen -f -- "$path")
  fi
  COMPREPLY=("${COMPREPLY[@]/#\\~/\~}")
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/=.,] ]]; then compopt -o nospace; fi
  compopt -o nosort
} 2>/dev/null

complete -F _nowsim nowsim
