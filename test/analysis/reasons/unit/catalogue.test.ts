import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createCatalogue } from '../../../../src/analysis/reasons/catalogue.ts'
import { evidenceOfStatus } from '../../../../src/analysis/reasons/evidence.ts'
import { endpoints } from '../../../../src/api/endpoints.ts'
import { possibleValues } from '../../../../src/policies/by-policy.ts'
import { type PolicyId, policies } from '../../../../src/policies/policies.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'

const reviewed: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('reviewed-lines.json', import.meta.url), 'utf8'),
)

/** What to do about a line whose text is not the reviewed one. */
function describeChange(id: string, text: string | undefined, citedBy: readonly string[]): string {
  return `The documentation changed in the line ${id}.
  before: ${reviewed[id] ?? '(no such line)'}
  now:    ${text ?? '(no such line)'}
Review what cites it: ${citedBy.join(', ') || 'nothing'}.
Then write the new text to test/analysis/reasons/unit/reviewed-lines.json.`
}

test('a changed line of the documentation fails until everything that cites it was reviewed', () => {
  const lines = createCatalogue().documentation
  const removed = Object.keys(reviewed).filter((id) => !lines.some((line) => line.id === id))

  const changes = [
    ...lines
      .filter(({ id, text }) => reviewed[id] !== text)
      .map(({ id, text, cited_by }) => describeChange(id, text, cited_by)),
    ...removed.map((id) => describeChange(id, undefined, [])),
  ]

  expect(changes.join('\n\n')).toBe('')
})

test('each policy cites the documentation, and each "not shown" is cited by a policy or a constant', () => {
  const { documentation, policies } = createCatalogue()

  expect(policies.filter((policy) => policy.documentation.length === 0)).toEqual([])
  expect(
    documentation.filter(({ text, cited_by }) => /not shown/.test(text) && cited_by.length === 0),
  ).toEqual([])
})

test('a policy that quotes "not shown" cites a line that says so', () => {
  const { policies: catalogued } = createCatalogue()

  const wrong = catalogued
    .filter(({ id }) => policies[id as PolicyId].documentation.includes('not shown'))
    .filter(({ documentation }) => !documentation.some((line) => line.includes('not shown')))

  expect(wrong.map(({ id }) => id)).toEqual([])
})

const settings = resolvePolicies()

test.each(endpoints.map(({ id, status }) => ({ id, statuses: possibleValues(status) })))(
  'each status of $id has a reason',
  ({ id, statuses }) => {
    for (const status of [...statuses, 400, 401, 403, 404, 405, 406, 413, 415, 429, 500]) {
      expect(evidenceOfStatus(id, status, settings)?.sentence).toMatch(/\S/)
    }
  },
)

test('every constant has a sentence, a source and a line of the documentation, or is an addition', () => {
  for (const { id, sentence, source, documentation } of createCatalogue().constants) {
    expect(sentence, id).toMatch(/\.$/)
    expect(source, id).toMatch(/\S/)
    expect(documentation.length === 0, id).toBe(id.startsWith('header.understudy'))
  }
})
