import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { run, startCommand } from '../support/cli/command.ts'
import { TerminalOutput } from '../support/cli/output.ts'
import { temporaryFile } from '../support/files.ts'
import { writeScenarioFile } from '../support/scenarios/story.ts'

/** An archive and a scenario of many requests, as texts. */
async function record(): Promise<Record<'archive' | 'scenario', string>> {
  const simulator = createSimulator()
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  for (let sent = 0; sent < 80; sent += 1) {
    const body = JSON.stringify({ content: `Release ${sent}` })
    await simulator.fetch(annotationsPath, { method: 'POST', headers, body })
  }
  const [archive, scenario] = [simulator.journal.toHar(), simulator.record().scenario]
  return { archive: JSON.stringify(archive), scenario: JSON.stringify(scenario) }
}

const recorded = await record()

test.for<[command: string, line: string, undone: string]>([
  ['import', '80 requests read', 'Nothing was written.'],
  ['replay', '\\d+ of 80 steps', ''],
])(
  'a long %s says on stderr how far it is, and after Ctrl-C what it did',
  async ([command, line, undone]) => {
    const out = temporaryFile('')
    const kind = command === 'replay' ? 'scenario' : 'archive'
    const file = temporaryFile(recorded[kind])
    const writes = [command === 'replay' ? '--report' : '--out', `${out}.json`]
    const streams = { progressInterval: 1 }
    const running = startCommand([command, file, ...writes], {}, streams)
    await expect.poll(() => running.printed().stderr, { interval: 1 }).toContain(' …\n')

    const { code, stderr } = await running.stop('SIGINT')

    const last =
      command === 'replay'
        ? `The replay was interrupted after ${line}\\.`
        : `Interrupted: ${line}\\. `
    expect(stderr).toMatch(new RegExp(`^(?:${line} …\\n)+.*${last}${undone}\\n`))
    expect([code, existsSync(`${out}.json`)]).toEqual([130, command === 'replay'])
  },
)

test.each([
  ['', true],
  ['1', false],
])('on a terminal, the line of progress is cleared, with CI=%s: %j', async (CI, isCleared) => {
  const stderr = new TerminalOutput()
  const args = ['import', temporaryFile(recorded.archive), '--out', temporaryFile('')]
  await startCommand(args, { CI }, { stderr }).end

  const parts = stderr.text.split('\r\u001b[K')
  expect([parts.length > 1, parts.at(-1)?.includes('…')]).toEqual([isCleared, false])
})

test('after a replay of many scenarios, nothing follows its signal', async () => {
  const warnings: string[] = []
  const add = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', add)
  onTestFinished(() => void process.off('warning', add))

  const file = writeScenarioFile([{ method: 'GET', path: '/api/projects/' }])

  const { code } = await run(['replay', ...Array(11).fill(file)])
  // Node warns in a later turn.
  await new Promise(setImmediate)

  expect([code, warnings]).toEqual([0, []])
})
