import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { commandNames } from '../../src/cli/program.ts'
import { run } from '../support/cli/command.ts'
import { typed } from '../support/cli/terminal.ts'
import { temporaryFolder } from '../support/files.ts'

// Each test starts shells, and machines are busy.
vi.setConfig({ testTimeout: 60_000 })
afterAll(() => vi.resetConfig())

/** What is typed, and what the command then gets. */
const lines: readonly (readonly [keys: string, words: string])[] = [
  ['wor\t', '<worlds>'],
  ['--profile li\t', '<--profile> <live>'],
  ['validate --js\tdef\t', '<validate> <--json> <default>'],
  ['serve --profile=li\t', '<serve> <--profile=live>'],
  ['serve --data cro\t', '<serve> <--data> <crowded>'],
  ['serve --data st\t', '<serve> <--data> <story.json>'],
  [
    'serve --policy annotations.restore=not\t',
    '<serve> <--policy> <annotations.restore=not_found>',
  ],
  ['exec --fault rea\t', '<exec> <--fault> <read-only>'],
  ['exec --seed 7 -- ls st\t', '<exec> <--seed> <7> <--> <ls> <story.json>'],
  ['replay st\t', '<replay> <story.json>'],
  ['import --world cro\t', '<import> <--world> <crowded>'],
  ['policies limits.ra\t', '<policies> <limits.rate>'],
  ['init su\t', '<init> <sub>'],
  ['completion f\t', '<completion> <fish>'],
]

interface Shell {
  readonly start: (folder: string) => string
  /** Written beside the script, which is `script` */
  readonly set_up: Readonly<Record<string, string>>
}

const shells: Readonly<Record<string, Shell>> = {
  bash: {
    start: (folder) => `bash --noprofile --rcfile ${folder}/begin -i`,
    set_up: { begin: `. ./script\n${printing('understudy()')}\nPS1='ready> '` },
  },
  zsh: {
    start: (folder) => `ZDOTDIR=${folder} zsh -i`,
    set_up: {
      '.zshrc': `autoload -U compinit; compinit -u -D\n. ./script\n${printing('understudy()')}\nPS1='ready> '`,
    },
  },
  fish: {
    start: () => 'fish --no-config -i -C "source ./begin"',
    set_up: {
      begin:
        "source ./script\nfunction understudy; printf 'got'; printf ' <%s>' $argv; echo; end\n" +
        "function fish_prompt; printf 'ready> '; end",
    },
  },
}

function printing(head: string): string {
  return `${head} { printf 'got'; printf ' <%s>' "$@"; echo; }`
}

for (const [name, shell] of Object.entries(shells)) {
  test.skipIf(!isThere(name))(`${name} completes what is typed`, async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'story.json'), '{}')
    writeFileSync(join(folder, 'script'), (await run(['completion', name])).stdout)
    for (const [file, text] of Object.entries(shell.set_up)) writeFileSync(join(folder, file), text)

    const got: string[] = []
    for (const [keys] of lines) got.push(await completed(shell, folder, keys))

    expect(got).toEqual(lines.map(([, words]) => words))
  })
}

/** Types a line, and gives what the command got. */
async function completed(shell: Shell, folder: string, keys: string): Promise<string> {
  const steps: [RegExp, string][] = [
    [/ready> /, `understudy ${keys}\r`],
    [/got <[^\n]*\n/, 'exit\r'],
  ]
  const seen = await typed(shell.start(folder), steps, { cwd: folder })
  const [, words = seen] = /got ((?:<[^>\n]*> ?)+)\r?\n/.exec(seen) ?? []
  // Some end a folder with a slash.
  return words.trim().replace('/>', '>')
}

test.each(['bash', 'zsh', 'fish'])('the script of %s knows every command', async (shell) => {
  const { code, stdout, stderr } = await run(['completion', shell])

  expect([code, stderr]).toEqual([0, ''])
  for (const name of commandNames) expect(stdout).toContain(name)
  expect(stdout).toContain('annotations.delete.status=404')
})

test('another shell ends with 2', async () => {
  const { code, stderr } = await run(['completion', 'csh'])

  expect([code, stderr]).toEqual([
    2,
    "Failed to read the command line: command-argument value 'csh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish. understudy completion --help lists what it takes.\n",
  ])
})

function isThere(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'true'])
    return true
  } catch {
    return false
  }
}
