import { readFileSync } from 'node:fs'
import { createConfig, lint, type NormalizedProblem } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import { allControlEndpoints, controlDocument } from '../../../../src/server/control/endpoints.ts'
import { createApiDocument } from '../../../../src/server/openapi/api-document.ts'
import { temporaryFile } from '../../../support/files.ts'

const committed = readFileSync(new URL('../../../../src/api/openapi.json', import.meta.url), 'utf8')

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

/** The problems that Redocly finds with the strictest of its rule sets. */
async function findProblems(text: string): Promise<string[]> {
  const file = temporaryFile(text)
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems: NormalizedProblem[] = await lint({ ref: file, config })
  return problems.map(({ ruleId, location: [place] }) => `${ruleId} ${place?.pointer}`)
}

/** DELETE of an annotation never succeeds, and the document says so. */
const allowedProblem =
  'operation-2xx-response #/paths/~1api~1projects~1{project_id}~1annotations~1{id}/delete/responses'

test.each(documents)('Redocly finds no problem in the document $name', async ({ text }) => {
  expect(
    (await findProblems(await text())).filter((problem) => problem !== allowedProblem),
  ).toEqual([])
})

test('Redocly finds a broken reference, and an example that violates its schema', async () => {
  const broken = committed
    .replace('#/components/schemas/AnnotationPage"', '#/components/schemas/Nowhere"')
    .replace('"is_global": false', '"is_global": "no"')

  expect((await findProblems(broken)).map((problem) => problem.split(' ')[0])).toEqual(
    expect.arrayContaining(['no-unresolved-refs', 'no-invalid-media-type-examples']),
  )
})
