import type { DescribedCommand, Values } from './described.ts'

/** What bash completes, as a script for it. It starts nothing, and needs nothing but bash. */
export function bashScript(commands: readonly DescribedCommand[]): string {
  const names = commands.map(({ name }) => name)
  return `# Completion of understudy for bash. Load it with: eval "$(understudy completion bash)"
_understudy() {
  local line=\${COMP_LINE:0:COMP_POINT} command=serve option='' before=''
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  local last=$((\${#words[@]} - 1)) word
  local cur=\${words[last]}
  if ((last == 1)) && [[ $cur != -* ]]; then
    COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$cur"))
    return
  fi
  case \${words[1]} in
    ${names.join(' | ')}) command=\${words[1]} ;;
  esac
${commands
  .filter(({ runs }) => runs)
  .map(behindDashes)
  .join('\n')}
  # bash parts words at =, and so completes what stands behind it.
  if [[ $cur == --*=* ]]; then
    option=\${cur%%=*}
    cur=\${cur#*=}
    [[ $COMP_WORDBREAKS == *=* ]] || before="$option="
  elif [[ \${words[last - 1]} == --* ]]; then
    option=\${words[last - 1]}
  fi
  case "$command $option" in
${commands.flatMap(optionCases).join('\n')}
  esac
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}

_understudy_offer() {
  local words=$1 paths=$2 cut=''
  [[ $COMP_WORDBREAKS == *=* && $cur == *=* ]] && cut=\${cur%"\${cur##*=}"}
  local -a found=($(compgen -P "$before" -W "$words" -- "$cur"))
  COMPREPLY=("\${found[@]#"$cut"}")
  [[ \${#found[@]} == 1 && \${found[0]} == *[=:] ]] && compopt -o nospace
  if [[ $paths != '' && $cut == '' ]]; then
    local path
    while IFS= read -r path; do COMPREPLY+=("$before$path"); done < <(compgen "$paths" -- "$cur")
    compopt -o filenames
  fi
}

complete -F _understudy understudy
`
}

/** What stands behind two dashes is a command and its own arguments. */
function behindDashes({ name }: DescribedCommand): string {
  return `  if [[ $command == ${name} ]]; then
    for ((word = 2; word < last; word++)); do
      [[ \${words[word]} == -- ]] || continue
      if ((word == last - 1)); then
        COMPREPLY=($(compgen -c -- "$cur"))
      else
        COMPREPLY=($(compgen -f -- "$cur"))
        compopt -o filenames
      fi
      return
    done
  fi`
}

function optionCases({ name, options }: DescribedCommand): string[] {
  return options.flatMap(({ long, values }) =>
    values ? [`    '${name} ${long}') ${offer(values)}; return ;;`] : [],
  )
}

function commandCase({ name, options, argument }: DescribedCommand): string {
  const flags = options.map(({ long }) => long).join(' ')
  const given = argument ? offer(argument) : ':'
  return `    ${name}) if [[ $cur == -* ]]; then _understudy_offer '${flags}' ''; else ${given}; fi ;;`
}

function offer({ words, heads, paths }: Values): string {
  const flag = paths === 'files' ? '-f' : paths === 'folders' ? '-d' : ''
  const plain = `_understudy_offer '${heads.join(' ')}' '${flag}'`
  if (heads.every((head) => words.includes(head))) return plain
  return `if [[ $cur == *=* ]]; then _understudy_offer '${words.join(' ')}' '${flag}'; else ${plain}; fi`
}
