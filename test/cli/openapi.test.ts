import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { resolvePolicies } from '../../src/policies/settings.ts'
import { createApiDocument } from '../../src/server/openapi/api-document.ts'
import { run } from '../support/cli/command.ts'

const committed = readFileSync(new URL('../../src/api/openapi.json', import.meta.url), 'utf8')

test('openapi prints the committed document', async () => {
  expect(await run(['openapi'])).toEqual({ code: 0, stdout: committed, stderr: '' })
})

test('openapi --profile live --yaml prints the document of the other profile as YAML', async () => {
  const { code, stdout, stderr } = await run(['openapi', '--profile', 'live', '--yaml'])

  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^openapi: 3\.1\.0\n/)
  expect(parse(stdout)).toEqual(await createApiDocument(resolvePolicies('live')))
})

test('openapi --policy and its variable change the document', async () => {
  const policy = 'annotations.delete.status=404'

  const byFlag = await run(['openapi', '--policy', policy])
  const byVariable = await run(['openapi'], { UNDERSTUDY_POLICY: policy })

  const { delete: operation } = JSON.parse(byFlag.stdout).paths[
    '/api/projects/{project_id}/annotations/{id}'
  ]
  expect(Object.keys(operation.responses)).toEqual([
    '400',
    '401',
    '403',
    '404',
    '406',
    '415',
    '429',
    '500',
  ])
  expect(byVariable).toEqual(byFlag)
})

test('openapi ends with 2 for an unknown profile or policy value', async () => {
  const profile = await run(['openapi', '--profile', 'lvie'])
  const value = await run(['openapi', '--policy', 'methods.put=maybe'])

  expect([profile.code, profile.stdout, value.code, value.stdout]).toEqual([2, '', 2, ''])
  expect(profile.stderr).toContain('Did you mean live?')
  expect(value.stderr).toContain('got "maybe"')
})

test('the package exports the document', () => {
  expect(fileURLToPath(import.meta.resolve('understudy-api/openapi.json'))).toBe(
    fileURLToPath(new URL('../../src/api/openapi.json', import.meta.url)),
  )
})
