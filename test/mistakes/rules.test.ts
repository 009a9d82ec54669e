import { expect, test } from 'vitest'
import { clientRules } from '../../src/mistakes/mistake-finder.ts'
import { type Started, start } from '../support/transports/start.ts'
import { readExamples } from './reads.table.ts'
import type { RuleExample } from './rule-example.ts'
import { writeExamples } from './writes.table.ts'

const ruleExamples = [...writeExamples, ...readExamples]

async function startWith({ settings = {}, faults = [] }: RuleExample): Promise<Started> {
  const client = await start({ settings })
  for (const fault of faults) client.simulator.faults.add(fault)
  return client
}

test.each(ruleExamples)('$rule: $title', async (example) => {
  const client = await startWith(example)

  await example.breaks(client)

  const mistakes = client.simulator.journal.mistakes()
  const [found, ...others] = mistakes.filter(({ rule }) => rule === example.rule)
  expect(others).toEqual([])
  expect({ message: found?.message, entries: found?.entries }).toEqual({
    message: example.message,
    entries: example.entries,
  })
})

test.each(ruleExamples)('no alarm of $rule: $title', async (example) => {
  const client = await startWith(example)

  await example.keeps(client)

  const mistakes = client.simulator.journal.mistakes()
  expect(mistakes.filter(({ rule }) => rule === example.rule)).toEqual([])
})

test('every rule has a client that breaks it', () => {
  const rules = new Set(ruleExamples.map(({ rule }) => rule))

  expect([...rules].sort()).toEqual(clientRules.map(({ id }) => id).sort())
})
