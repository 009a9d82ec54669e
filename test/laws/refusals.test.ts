import { expect, test } from 'vitest'
import { version } from '../../src/utils/version.ts'
import { start } from '../support/lanes/start.ts'
import { arrangeRefusals, refusalOf, refusedCalls, shortInput } from '../support/refusals.ts'

// A message is reviewed in the difference of this file, which npm run docs writes.
test('each refused call says what is wrong and what to do, and changes nothing', async () => {
  const { simulator } = await start()
  arrangeRefusals(simulator)
  const stateOf = () =>
    JSON.stringify([
      simulator.snapshot(),
      ...[simulator.faults, simulator.sandboxes].map((each) => each.list()),
      simulator.snapshots.list(),
      simulator.settings.values,
      simulator.clock.read(),
    ])
  const before = stateOf()

  // The issues of each world are beside it, in its own table.
  const { 'a world': _, ...approved } = refusedCalls
  const lines: string[] = []
  for (const [name, refused] of Object.entries(approved)) {
    lines.push(`\n# ${name}`)
    for (const input of refused.inputs) {
      const { message, field } = await refusalOf(refused, simulator, input)
      lines.push(
        shortInput(input),
        `  ${field}: ${message.replaceAll('\n', '\n  ').replace(version, 'VERSION')}`,
      )
    }
  }

  await expect(`${lines.join('\n').trim()}\n`).toMatchFileSnapshot('./refusals.outline.txt')
  expect(stateOf()).toBe(before)
})
