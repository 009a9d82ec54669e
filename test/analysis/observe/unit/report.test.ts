import { expect, test } from 'vitest'
import type { Finding, Observation } from '../../../../src/analysis/observe/observe.ts'
import { compareFindings, toReport } from '../../../../src/analysis/observe/report.ts'
import type { PolicyId } from '../../../../src/policies/policies.ts'
import { printReport } from '../../../../src/utils/reports/printers.ts'

const found = (id: PolicyId, value: string | number): Finding => ({
  id,
  value,
  open: null,
  evidence: [`GET /api/projects/1/annotations/?${id} → 200`, 'GET /a → 200'],
})

/** One finding for each way to agree, one that was not seen, and one that no setting has. */
const findings: readonly Finding[] = [
  found('versioning', 'none'),
  found('plugins.delete.global', 'deleted'),
  found('plugins.delete.global', 'refused'),
  found('plugins.extras.body', 'plugin'),
  found('plugins.extras.body', 'envelope'),
  found('errors.body', 'envelope'),
  found('annotations.list.limit.default', 100),
  found('annotations.list.limit.default', 7),
  { id: 'plugins.create.required', value: null, open: 'It needs <b>a key</b>.', evidence: [] },
  {
    id: 'annotations.delete.status',
    value: null,
    open: 'The status was 204.',
    seen: true,
    evidence: ['DELETE /a → 204'],
  },
]

const observation: Observation = {
  findings,
  policies: {},
  requests: 12,
  left: ['A plugin could not be removed. Remove it with DELETE /a & /b.'],
  notes: ['The server accepts any key.'],
  refused: null,
  ended: 'The observation was interrupted.',
}

test.each(['json', 'html', 'xml'] as const)('a report as %s', async (format) => {
  const text = printReport(toReport(observation), format)
  const body = format === 'html' ? text.slice(text.indexOf('<main>')) : text

  await expect(body).toMatchFileSnapshot(`./report.outline.${format}.txt`)
})

test('a value of the live service that is a guess was not seen', () => {
  const guess = found('plugins.extras.none', 'empty_plugin')

  expect(compareFindings([guess])).toEqual([
    {
      id: 'plugins.extras.none',
      question: expect.any(String),
      documentation: expect.any(String),
      documented: null,
      live: null,
      server: 'empty_plugin',
      group: 'Another value that the documentation leaves open',
      open: null,
      evidence: guess.evidence,
    },
  ])
})
