import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'
import { isObject } from '../../src/utils/json.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'
import { type RefusedCall, refusalOf, refusedCalls } from '../support/refusals.ts'

const { 'faults.add': fault, 'settings.set': setting, 'a world': world, replay } = refusedCalls

/** The settings that a flag can have: texts, without spaces around them. */
const settings = setting?.inputs.filter(
  (input): input is Record<string, string> =>
    isObject(input) &&
    Object.values(input).every((value) => typeof value === 'string' && value === value.trim()),
)

test.each([
  ['--fault', fault, fault?.inputs.filter(isObject).slice(0, 6) ?? [], JSON.stringify],
  [
    '--set',
    setting,
    settings?.slice(0, 6) ?? [],
    (input: object) => Object.entries(input).join().replace(',', '='),
  ],
] as const)(
  'serve %s refuses what the library refuses, with its message',
  async (flag, refused, inputs, toText) => {
    const simulator = createSimulator()
    const results = await Promise.all(
      inputs.map((input) => run(['serve', '--port', '0', flag, toText(input)])),
    )

    expect(results.length).toBeGreaterThan(5)
    const refusals = await Promise.all(
      inputs.map((input) => refusalOf(refused as RefusedCall, simulator, input)),
    )
    expect(results).toEqual(
      refusals.map(({ message }) => ({ code: 2, stdout: '', stderr: `${message}\n` })),
    )
  },
)

test('validate and serve --data list the same issues of a world as the library', async () => {
  for (const input of world?.inputs.slice(0, 5) ?? []) {
    const file = temporaryFile(JSON.stringify(input))
    const { message } = await refusalOf(world as RefusedCall, createSimulator(), input)
    const [head = '', ...issues] = message.split('\n')
    const ofFile = head
      .replace('Failed to load the world', `${file} is not a valid world`)
      .replace(/\. Nothing was loaded\.$/, '')
      .replace('. Nothing was loaded', '')
      .replace('to the world', `to ${file}`)
    const stderr = [ofFile, ...issues, ''].join('\n')

    expect(await run(['validate', file])).toEqual({ code: 2, stdout: '', stderr })
    expect(await run(['serve', '--port', '0', '--data', file])).toEqual({
      code: 2,
      stdout: '',
      stderr,
    })
  }
})

test('replay refuses the scenarios that the library refuses, and names the file', async () => {
  const simulator = createSimulator()
  for (const input of replay?.inputs.slice(0, 5) ?? []) {
    const file = temporaryFile(JSON.stringify(input))
    const { message } = await refusalOf(replay as RefusedCall, simulator, input)

    const { code, stderr } = await run(['replay', file])

    const reading = 'Failed to read the scenario'
    const named = message.startsWith(reading)
      ? message.replace(reading, `${reading} ${file}`)
      : `${file}: ${message}`
    expect([code, stderr]).toEqual([2, `${named}\n`])
  }
})
