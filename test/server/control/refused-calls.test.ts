import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { operations as all, controlPath } from '../../support/control/examples.ts'
import type { Reply } from '../../support/lanes/client.ts'
import { start } from '../../support/lanes/start.ts'
import {
  arrangeRefusals,
  bodyOf,
  type Refused,
  refusalOf,
  refusedCalls,
  shortInput,
} from '../../support/refusals.ts'

const operations = Object.values(refusedCalls).flatMap((refused) => {
  const operation = all.find(({ line }) => line === refused.operation)
  return operation ? [{ ...operation, refused }] : []
})

/** Whether a response has the message, the field and the issues of the library. */
const isSame = (reply: Reply, { message, field, details }: Refused) => {
  const { status, body } = invalid(field, 'invalid_input', message)
  const expected = details.length === 0 ? body : { ...(body as object), issues: details }
  return JSON.stringify(reply) === JSON.stringify({ status, body: expected })
}

// Five inputs of each call: `test/laws/refusals.outline.txt` has all. Bodies that are no object never reach the library;
// npm run docs writes what they get.
test('the control API refuses what the library refuses, with its messages', async () => {
  const sections: string[] = []
  let same = 0
  for (const { line, method, path, example, refused } of operations) {
    const { control, simulator } = await start()
    arrangeRefusals(simulator)
    const before = simulator.world.toJSON()
    const address = controlPath(path, { params: example.params ?? {} })
    const others: string[] = []
    for (const input of refused.inputs.slice(0, 5)) {
      const reply = await control(method, address, { body: bodyOf(refused, input) })
      expect(reply, shortInput(input)).toMatchObject({
        status: 400,
        body: { code: 'invalid_input' },
      })
      const { attr, detail } = reply.body as { attr: string; detail: string }
      if (isSame(reply, await refusalOf(refused, simulator, input))) same += 1
      else others.push(`${shortInput(input)}\n  ${attr}: ${detail.replaceAll('\n', '\n  ')}`)
    }
    expect(simulator.world.toJSON()).toEqual(before)
    if (others.length > 0) sections.push([`# ${line}`, ...others].join('\n'))
  }

  expect(same).toBeGreaterThan(30)
  await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot('./refused-calls.outline.txt')
})
