import { expect, test } from 'vitest'
import { type PolicyId, policies } from '../../../../src/policies/policies.ts'
import { type PolicyOverrides, resolvePolicies } from '../../../../src/policies/settings.ts'
import { TrackedSettings } from '../../../../src/policies/tracked-settings.ts'
import {
  describePolicy,
  findDecisions,
  usedPolicies,
} from '../../../../src/sandbox/journal/deciding-policies.ts'
import type { JournalRecord } from '../../../../src/sandbox/journal/record.ts'
import { SimulatorBase } from '../../../../src/sandbox/simulator-base.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../../support/lanes/client.ts'

test.each<[id: PolicyId, setting: string | number, value: object | undefined]>([
  ['limits.body', 5, policies['limits.body'].values.integer],
  ['annotations.delete.status', '403', policies['annotations.delete.status'].values['403']],
  ['annotations.delete.status', '405', policies['annotations.delete.status'].values['405']],
])(
  'the policy %s is described with the setting %j, and the evidence of it',
  (id, setting, value) => {
    const settings = { ...resolvePolicies('documented'), [id]: setting }

    const { evidence, source } = Object(value)
    expect(describePolicy(id, settings)).toEqual({ id, setting, evidence, source })
  },
)

/** The record of a request without the policies that its response read. */
async function recordOf(
  method: string,
  path: string,
  options: RequestOptions,
  overrides: PolicyOverrides,
) {
  const simulator = createSimulator({ clock: noon, policies: overrides })
  await simulator.fetch(path, initOf(method, options))
  const sandbox = SimulatorBase.sandboxOf(simulator)
  const [record] = sandbox.journal.records as [JournalRecord]
  return { record: { ...record, policyReads: null }, sandbox }
}

test.each<[method: string, path: string, options: RequestOptions, used: PolicyId[]]>([
  ['GET', '/api/nowhere/', {}, []],
  ['GET', annotationsPath, {}, []],
  ['GET', '/api/projects/1/annotations.json', {}, ['paths.format']],
  ['PUT', `${annotationsPath}1/`, {}, ['methods.put']],
  ['POST', annotationsPath, { body: {} }, ['limits.body']],
])(
  'the route of %s %s depends on policies, and the body on its limit: %j',
  async (method, path, options, used) => {
    const { record } = await recordOf(method, path, options, {})
    const tracker = new TrackedSettings(record.settings)
    void tracker.settings['keys.places']
    const read = tracker.takeReads()

    const ids = (policyReads: JournalRecord['policyReads']) =>
      usedPolicies({ ...record, policyReads }).map(({ id }) => id)

    expect(new Set(ids(null))).toEqual(new Set(used))
    expect(new Set(ids(read))).toEqual(new Set([...used, 'keys.places']))
  },
)

test.each<
  [title: string, path: string, options: RequestOptions, change: object, decided: object[]]
>([
  ['nothing is refused', annotationsPath, {}, {}, []],
  [
    'a row is deleted',
    `${annotationsPath}6/`,
    {},
    {},
    [{ id: 'annotations.deleted.visibility', would_be: 'retrievable' }],
  ],
  ['a fault refuses', `${annotationsPath}6/`, {}, { fault: { id: 'f', phase: 'before' } }, []],
  [
    'the response is another one',
    `${annotationsPath}6/`,
    {},
    { response: { status: 403, headers: {}, text: '' } },
    [],
  ],
  [
    'the body is too large',
    annotationsPath,
    {},
    { requestBody: { omitted: 999 }, response: { status: 413, headers: {}, text: '' } },
    [{ id: 'limits.body', would_be: 999 }],
  ],
  [
    'the key is missing',
    annotationsPath,
    { key: null },
    {},
    [{ id: 'keys.missing.status', would_be: '403' }],
  ],
  // Without the suffix, the path is unknown: that is checked before the header.
  [
    'the Accept header does not match',
    '/api/projects/1/annotations.json',
    { headers: { accept: 'text/html' } },
    {},
    [],
  ],
])('what decided a refusal: %s', async (_title, path, options, change, decided) => {
  const { record, sandbox } = await recordOf('GET', path, options, { 'paths.format': 'on' })

  const found = findDecisions({ ...record, ...change }, sandbox)

  expect(found.map(({ id, would_be }) => ({ id, would_be }))).toEqual(decided)
})
