import type { DescribedCommand, DescribedOption, Values } from './described.ts'

/** What zsh completes, as a script for it. */
export function zshScript(commands: readonly DescribedCommand[]): string {
  const names = commands.map(({ name }) => name)
  return `#compdef understudy
# Completion of understudy for zsh. Load it, after compinit, with: eval "$(understudy completion zsh)"
_understudy() {
  local command=serve
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    local -a commands=(
${commands.map(({ name, says }) => `      ${quoted(`${name}:${says}`)}`).join('\n')}
    )
    _describe -t commands command commands
    return
  fi
  case $words[2] in
    (${names.join('|')}) command=$words[2]; shift words; (( CURRENT-- )) ;;
  esac
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}

# A word with = is completed up to it, and then behind it.
_understudy_pairs() {
  if [[ $PREFIX == *=* ]]; then
    compadd -- \${(M)@:#*=?*}
  else
    compadd -S '' -- \${(u)@/%=*/=}
  fi
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _understudy "$@"
else
  compdef _understudy understudy
fi
`
}

function commandCase({ name, options, argument, runs }: DescribedCommand): string {
  const specs = [
    ...options.map(optionSpec),
    ...(argument ? [quoted(`*:${name}:${actionOf(argument)}`)] : []),
    ...(runs ? [quoted('(-)1:command:_command_names -e'), quoted('*::arguments:_normal')] : []),
  ]
  return `    (${name}) _arguments \\\n${specs.map((spec) => `      ${spec}`).join(' \\\n')} ;;`
}

function optionSpec({ long, says, values, mayRepeat }: DescribedOption): string {
  const text = says.replace(/[\\[\]:]/g, '\\$&')
  const head = `${mayRepeat ? '*' : ''}${long}`
  if (!values) return quoted(`${head}[${text}]`)
  return quoted(`${head}=[${text}]:value:${actionOf(values)}`)
}

function actionOf({ words, heads, paths }: Values): string {
  const files = paths === 'files' ? '_files' : paths === 'folders' ? '_files -/' : ''
  if (words.length === 0) return files === '' ? ' ' : files
  const offered = words.map((word) => word.replace(/:/g, '\\:')).join(' ')
  if (heads.some((head) => !words.includes(head))) return `{ _understudy_pairs ${offered} }`
  return files === '' ? `(${offered})` : `{ compadd -- ${offered}; ${files} }`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
