import type { DescribedCommand, DescribedOption, Values } from './described.ts'

/** What fish completes, as a script for it. */
export function fishScript(commands: readonly DescribedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  return `# Completion of understudy for fish. Load it with: understudy completion fish | source
function __understudy_first
    test (count (commandline -opc)) -eq 1
end

function __understudy_in
    set -l words (commandline -opc)
    set -l command serve
    if set -q words[2]; and contains -- $words[2] ${names}
        set command $words[2]
    end
    contains -- $command $argv
end

complete -c understudy -e
complete -c understudy -f
${commands.flatMap(linesOf).join('\n')}
`
}

function linesOf({ name, says, options, argument, runs }: DescribedCommand): string[] {
  const here = `complete -c understudy -n '__understudy_in ${name}'`
  // Its value is completed where it stands, and not the name of a command.
  const arguments_ = `complete -c understudy -n 'not __understudy_first; and __understudy_in ${name}'`
  return [
    `complete -c understudy -n __understudy_first -a ${name} -d ${quoted(says)}`,
    ...options.map((option) => `${here} ${optionText(option)}`),
    ...(argument ? [`${arguments_} ${argumentText(argument)}`] : []),
    ...(runs ? [`${arguments_} -a '(__fish_complete_subcommand --fcs-skip=2)'`] : []),
  ]
}

function optionText({ long, says, values }: DescribedOption): string {
  const head = `-l ${long.slice(2)} -d ${quoted(says)}`
  if (!values) return head
  const { words, paths } = values
  if (paths === 'folders') return `${head} -x -a '(__fish_complete_directories)'`
  const takes = paths === 'files' ? '-r -F' : '-x'
  return words.length === 0 ? `${head} ${takes}` : `${head} ${takes} -a ${quoted(words.join(' '))}`
}

function argumentText({ words, paths }: Values): string {
  if (paths === 'folders') return `-a '(__fish_complete_directories)'`
  const offered = words.length === 0 ? '' : `-a ${quoted(words.join(' '))}`
  return paths === 'files' ? `-F ${offered}`.trim() : offered
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
