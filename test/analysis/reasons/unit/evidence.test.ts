import { expect, test } from 'vitest'
import { seenFields } from '../../../../src/analysis/reasons/constants.ts'
import { evidenceOfField, evidenceOfStatus } from '../../../../src/analysis/reasons/evidence.ts'
import type { Reason } from '../../../../src/analysis/reasons/response-reasons.ts'
import { endpoints } from '../../../../src/api/endpoints.ts'
import type { PolicySettings } from '../../../../src/policies/policies.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'

const documented = resolvePolicies('documented')
const live = resolvePolicies('live')

const nameOf = ({ id, setting }: Reason) => (setting === undefined ? id : `${id}=${setting}`)

/** The rules of some statuses or fields by name, without those that have none. */
function listRules(names: readonly string[], find: (name: string) => Reason | undefined): string[] {
  return names.flatMap((name) => {
    const reason = find(name)
    return reason ? [`${name} ${nameOf(reason)}`] : []
  })
}

const statuses = [200, 201, 204, 299, 300, 400, 401, 403, 404, 405, 406, 413, 415, 429, 500, 502]

function listStatuses(id: string | null, settings: PolicySettings): string {
  const reasonOf = (status: string) => evidenceOfStatus(id, Number(status), settings)
  return listRules(statuses.map(String), reasonOf).join(', ')
}

const otherErrors =
  '406 error.not_acceptable, 413 error.body_too_large, 415 error.unsupported_media_type, 429 error.throttled, 500 error.server_error'

test('the rule of a success is the line of its operation, or what decides about it', () => {
  const rules = endpoints.map(({ id }) => {
    const [rule] = listStatuses(id, documented).split(', ')
    return [id, rule?.startsWith('400') ? '' : rule]
  })

  const others = rules.filter(
    ([id, rule]) => !/^20[014] operation\.(\w+)$/.test(rule as string) || !rule?.endsWith(`.${id}`),
  )
  expect(others).toEqual([
    ['replacePlugin', '200 methods.put=off'],
    ['replaceAnnotation', '200 methods.put=off'],
    ['deleteAnnotation', ''],
    ['listProjects', '200 projects.list'],
  ])
})

test.each([
  [
    'createAnnotation',
    '201 operation.createAnnotation, ',
    ', 404 error.not_found, 405 error.method_not_allowed',
  ],
  ['deleteAnnotation', '', ', 404 error.not_found, 405 annotations.delete.status=405'],
  [
    'options /api/projects',
    '200 methods.options, ',
    ', 404 error.not_found, 405 error.method_not_allowed',
  ],
  ['anyMethod /api/projects', '', ', 404 error.not_found, 405 projects.methods'],
])('the rules of all statuses of %s', (id, success, rest) => {
  expect(listStatuses(id, documented)).toBe(
    `${success}400 error.parse_error, 401 keys.missing.status=401, 403 keys.insufficient.status=403${rest}, ${otherErrors}`,
  )
})

test.each([
  [
    'createAnnotation',
    '201 operation.createAnnotation, ',
    'keys.insufficient.status=404, 405 error.method_not_allowed',
  ],
  [
    'retrieveAnnotation',
    '200 operation.retrieveAnnotation, ',
    'error.not_found, 405 error.method_not_allowed',
  ],
  ['deleteAnnotation', '', 'annotations.delete.status=404, 405 error.method_not_allowed'],
])('the rules of all statuses of %s if refusals are hidden', (id, success, notFound) => {
  const settings = resolvePolicies('documented', {
    'keys.missing.status': '403',
    'keys.insufficient.status': '404',
    'annotations.delete.status': '404',
  })

  expect(listStatuses(id, settings)).toBe(
    `${success}400 error.parse_error, 403 keys.missing.status=403, 404 ${notFound}, ${otherErrors}`,
  )
})

const fields = {
  body: ['content', 'name', 'url', 'id', 'colour', 'token', 'api_key', 'personal_api_key', 'a.b'],
  response: [
    ...['id', 'content', 'name', 'url', 'metrics', 'colour', 'dashboard_id', 'dashboard_name'],
    ...[
      'insight_derived_name',
      'created_by',
      'created_by.id',
      'created_by.colour',
      'id.created_by',
    ],
    ...['count', 'next', 'previous', 'results', 'results.0', 'results.0.id', 'results.0.content'],
    ...['results.0.name', 'results.0.created_by.id', 'results.0.dashboard_id', 'results.0.colour'],
  ],
} as const

/** The rules of fields, in a paragraph for each side of operations that have the same ones. */
function listFields(settings: PolicySettings): string {
  const groups = new Map<string, string[]>()
  for (const id of [null, 'options /api/projects', ...endpoints.map((each) => each.id)]) {
    for (const side of ['body', 'response'] as const) {
      const rules = listRules(fields[side], (name) => evidenceOfField(id, side, name, settings))
      const [only, ...others] = new Set(rules.map((rule) => rule.split(' ')[1]))
      const isSame = others.length === 0 && rules.length === fields[side].length
      const text = `${side}:\n  ${isSame ? `every field ${only}` : rules.join(', ')}`
      groups.set(text, [...(groups.get(text) ?? []), String(id)])
    }
  }
  return [...groups].map(([text, ids]) => `${ids.join(', ')}, ${text}\n`).join('\n')
}

test('the rule of each field of each operation', async () => {
  const paragraphs = [listFields(documented), 'In the live service:\n', listFields(live)]

  await expect(paragraphs.join('\n')).toMatchFileSnapshot('./fields.outline.txt')
})

test('a field that cites what was observed is explained by that', () => {
  const seen = seenFields('annotation', {
    content: { name: 'content', kind: 'text' },
    mood: { name: 'mood', kind: 'text', cites: 'observed' },
  })

  expect(seen).toEqual({
    'annotation.mood': {
      sentence: 'The live service has the field mood, which is not documented.',
      evidence: 'observed',
      source: 'read in the source of the live service',
      lines: ['service.whole'],
    },
  })
})
