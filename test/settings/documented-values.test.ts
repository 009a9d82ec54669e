import { expect, test } from 'vitest'
import { type DocumentLine, documentLines } from '../../src/settings/document.ts'
import { settingsById } from '../../src/settings/setting.ts'

/**
 * What is called documented, and the words of the documentation that state it. Whoever adds a row finds the words in the
 * documentation, not in the code. Without such words, a value is from the source or assumed.
 */
const statements: Readonly<Record<string, string>> = {
  'annotations.search.reach=list':
    'List all annotations: GET; annotation:read; query: limit (integer), offset (integer), search',
  'plugins.delete.global=deleted': 'Delete plugin: DELETE; plugin:write; 204, no body',
  'plugins.global.visibility=own_organization': 'Plugins, scoped to an organization.',
  'plugins.json_fields.null=accepted': 'config_schema: structured value, may be null',
  'plugins.other.body=plugin':
    'Update source: PATCH; same body fields as create; 200, Plugin shape',
  'keys.write_implies_read=no': 'Read operations (list, retrieve) require the read scope',
  'keys.empty_scopes=nothing': 'Each operation requires an API key scope',
  'keys.places=header': 'Each request carries the header Authorization with the value Bearer',
  'annotations.fields=as_listed': 'hedgehog_config: object with arbitrary string keys',
}

const documented = Object.entries(settingsById).flatMap(([id, { values }]) =>
  Object.entries(values).flatMap(([value, { evidence, source }]) =>
    evidence === 'documented' ? [[`${id}=${value}`, source] as const] : [],
  ),
)

test('only what words of the documentation state is called documented', () => {
  expect(documented.map(([id]) => id).sort()).toEqual(Object.keys(statements).sort())
})

test.each(documented)('%s names the words that state it', (id, source) => {
  const parts = statements[id]?.split(/[.;] /) ?? []

  expect(parts.filter((part) => !source.includes(part.replace(/\.$/, '')))).toEqual([])
})

test('each "not shown" of the documentation is cited by a setting', () => {
  const cited = new Set(Object.values(settingsById).flatMap(({ cites }) => cites))
  const notShown = Object.entries(documentLines).filter(([, text]) => /not shown/.test(text))

  expect(notShown.map(([id]) => id).filter((id) => !cited.has(id as DocumentLine))).toEqual([])
})
