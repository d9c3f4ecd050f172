# Completion of nowsim in bash: the program says what can follow (nowsim complete), here it is put on the line.
# Installed in share/bash-completion/completions; from a clone:  . tools/completion/nowsim.bash

# Offers a word as the line is to have it, or not at all where the quote that is open cannot hold it: words come out of
# files that others may have written, and nothing of them may be run.
_nowsim_offer() {
  local word=$1
  case $quote in
    \') if [[ $word == *\'* ]]; then return; fi ;;
    \") if [[ $word == *[\"\$\`\\!]* ]]; then return; fi ;;
    *) [[ $word =~ ^[][A-Za-z0-9_./,=:+%@-]*$ ]] || printf -v word %q "$word" ;;
  esac
  COMPREPLY+=("$word")
}

_nowsim() {
  local program=${BASH_ALIASES[$1]:-$1}
  program=${program%% *}
  program=${program/#\~\//"$HOME"/}
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
    case ${typed[k]} in
      [\"\']*) typed[k]=${typed[k]#[\"\']}; typed[k]=${typed[k]%[\"\']} ;;
      *) IFS= read "typed[k]" <<<"${typed[k]}" ;;  # without -r: a backslash goes, what it stands before stays
    esac
  done
  if [[ ! $quote ]]; then IFS= read here <<<"$here"; fi
  word=${typed[-1]}
  local before=${word%"$here"}

  local answer files line
  mapfile -t answer < <("$program" complete "${typed[@]}" 2>/dev/null)
  files=${answer[0]--}
  if [[ $files == *goes-on* ]]; then compopt -o nospace; files=${files/ goes-on/}; fi
  COMPREPLY=()
  for line in "${answer[@]:1}"; do
    line=${line%%$'\t'*}
    _nowsim_offer "${line#"$before"}"
  done

  # Files by their endings, and the folders on the way to them. '~' is bash's own.
  if [[ $files != - ]]; then
    local path=$here found keep ending
    while IFS= read -r found; do
      keep=''
      if [[ -d ${found/#\~\//"$HOME"/} ]]; then found+=/; keep=1; fi
      if [[ $files == files ]]; then keep=1; fi
      if [[ $files == files\ * ]]; then
        for ending in ${files#files }; do [[ $found == *"$ending" ]] && keep=1; done
      fi
      if [[ ! $keep ]]; then continue; fi
      _nowsim_offer "$found"
    done < <(compgen -f -- "$path")
  fi
  COMPREPLY=("${COMPREPLY[@]/#\\~/\~}")
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/=.,] ]]; then compopt -o nospace; fi
  compopt -o nosort
} 2>/dev/null

complete -F _nowsim nowsim
