import { readFileSync } from 'node:fs'
import { createConfig, lint, type NormalizedProblem } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { temporaryFile } from '../../support/files.ts'

const read = (name: string) =>
  readFileSync(new URL(`../../../src/${name}`, import.meta.url), 'utf8')
const documented = read('api/openapi.json')
const live = read('api/openapi.live.json')
const control = read('admin/openapi.json')

/**
 * DELETE of an annotation has no success: the service answers 405 to everybody, and deletes by `PATCH {"deleted": true}`.
 * The documents say so, and leave out a 2xx that no client will ever get.
 */
const deleteNeverSucceeds =
  'operation-2xx-response #/paths/~1api~1projects~1{project_id}~1annotations~1{id}/delete/responses'

const config = await createConfig({ extends: ['recommended-strict'] })

/** The problems that Redocly finds with the strictest of its rule sets. */
async function findProblems(text: string): Promise<string[]> {
  const problems: NormalizedProblem[] = await lint({ ref: temporaryFile(text), config })
  return problems.map(({ ruleId, location: [place] }) => `${ruleId} ${place?.pointer}`)
}

/** Nothing is wrong with a request that everybody may send, and that reads nothing. */
const healthNeverFails = 'operation-4xx-response #/paths/~1health/get/responses'

test.each([
  ['the profile documented', documented, deleteNeverSucceeds],
  ['the profile live', live, deleteNeverSucceeds],
  ['the admin API', control, healthNeverFails],
])('Redocly finds one problem in the document of %s', async (_name, text, problem) => {
  expect(await findProblems(text)).toEqual([problem])
})
