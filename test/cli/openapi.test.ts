import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createConfig, lint, type NormalizedProblem } from '@redocly/openapi-core'
import { afterAll, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { resolvePolicies } from '../../src/policies/settings.ts'
import { controlDocument } from '../../src/server/control/document.ts'
import { allControlEndpoints } from '../../src/server/control/endpoints.ts'
import { createApiDocument } from '../../src/server/openapi/api-document.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'

vi.setConfig({ testTimeout: 30_000 })
afterAll(() => vi.resetConfig())

const committed = readFileSync(new URL('../../src/api/openapi.json', import.meta.url), 'utf8')

test('understudy openapi prints the document that is committed', async () => {
  expect(await run(['openapi'])).toEqual({ code: 0, stdout: committed, stderr: '' })
})

test('understudy openapi --profile live --yaml prints that of the other profile, as YAML', async () => {
  const { code, stdout, stderr } = await run(['openapi', '--profile', 'live', '--yaml'])

  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^openapi: 3\.1\.0\n/)
  expect(parse(stdout)).toEqual(await createApiDocument(resolvePolicies('live')))
})

test('understudy openapi --policy and its variable change what the document says', async () => {
  const policy = 'annotations.delete.status=404'

  const [byFlag, byVariable] = await Promise.all([
    run(['openapi', '--policy', policy]),
    run(['openapi'], { UNDERSTUDY_POLICY: policy }),
  ])

  const { delete: operation } = JSON.parse(byFlag.stdout).paths[
    '/api/projects/{project_id}/annotations/{id}'
  ]
  expect(Object.keys(operation.responses)).toEqual(['401', '403', '404', '406', '429', '500'])
  expect(byVariable).toEqual(byFlag)
})

test('understudy openapi ends with 2 for a profile or a policy that is none', async () => {
  const profile = await run(['openapi', '--profile', 'lvie'])
  const value = await run(['openapi', '--policy', 'methods.put=maybe'])

  expect([profile.code, profile.stdout, value.code, value.stdout]).toEqual([2, '', 2, ''])
  expect(profile.stderr).toContain('Did you mean live?')
  expect(value.stderr).toContain('expected one of off, on, got "maybe"')
})

const documents: readonly { readonly name: string; readonly text: () => Promise<string> }[] = [
  { name: 'of the profile documented', text: async () => committed },
  {
    name: 'of the profile live',
    text: async () => JSON.stringify(await createApiDocument(resolvePolicies('live'))),
  },
  {
    name: 'of the control API',
    text: async () => JSON.stringify(controlDocument(allControlEndpoints, resolvePolicies())),
  },
]

/** What Redocly finds in a document by the strictest of its own rule sets. */
async function problemsOf(text: string): Promise<string[]> {
  const file = temporaryFile(text)
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems: NormalizedProblem[] = await lint({ ref: file, config })
  return problems.map(({ ruleId, location: [place] }) => `${ruleId} ${place?.pointer}`)
}

/** No DELETE of an annotation succeeds, and the document says so. */
const truthful =
  'operation-2xx-response #/paths/~1api~1projects~1{project_id}~1annotations~1{id}/delete/responses'

test.each(documents)('Redocly finds nothing wrong with the document $name', async ({ text }) => {
  expect((await problemsOf(await text())).filter((problem) => problem !== truthful)).toEqual([])
})

test('Redocly would find a reference that leads nowhere, and an example that breaks its schema', async () => {
  const broken = committed
    .replace('#/components/schemas/AnnotationPage"', '#/components/schemas/Nowhere"')
    .replace('"is_global": false', '"is_global": "no"')

  expect((await problemsOf(broken)).map((problem) => problem.split(' ')[0])).toEqual(
    expect.arrayContaining(['no-unresolved-refs', 'no-invalid-media-type-examples']),
  )
})

test('the package exports the document', () => {
  expect(fileURLToPath(import.meta.resolve('understudy-api/openapi.json'))).toBe(
    fileURLToPath(new URL('../../src/api/openapi.json', import.meta.url)),
  )
})
