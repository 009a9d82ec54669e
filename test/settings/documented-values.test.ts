import { expect, test } from 'vitest'
import { type DocumentLine, documentLines } from '../../src/settings/document.ts'
import { type SettingId, settingCitations, settingsById } from '../../src/settings/setting.ts'

/**
 * What is called documented, and the words of the documentation that state it. Whoever adds a row finds the words in the
 * documentation, not in the code. Without such words, a value is observed or assumed.
 */
const statements: Readonly<Record<string, string>> = {
  'annotations.search.reach=list':
    'List all annotations: GET; annotation:read; query: limit (integer), offset (integer), search',
  'plugins.delete.global=deleted': 'Delete plugin: DELETE; plugin:write; 204, no body',
  'plugins.global.visibility=own_organization': 'Plugins, scoped to an organization.',
  'plugins.json_fields.null=accepted': 'config_schema: structured value, may be null',
  'plugins.extras.body=plugin':
    'Update source: PATCH; same body fields as create; 200, Plugin shape',
  'keys.write_implies_read=no': 'Read operations (list, retrieve) require the read scope',
  'keys.empty_scopes=nothing': 'Each operation requires an API key scope',
  'keys.places=header': 'Each request carries the header Authorization with the value Bearer',
  'fields.nullable=documented': 'structured value, may be null',
  'versioning=none': 'hedgehog_config: object with arbitrary string keys',
}

const values = Object.entries(settingsById).flatMap(([id, { values }]) =>
  Object.entries(values).map(([value, { evidence }]) => ({ id: `${id}=${value}`, evidence })),
)

test('only what words of the documentation state is called documented', () => {
  const documented = values.filter(({ evidence }) => evidence === 'documented')

  expect(documented.map(({ id }) => id).sort()).toEqual(Object.keys(statements).sort())
})

test.each(Object.entries(statements))('%s cites a line that states it', (id, words) => {
  const [setting = ''] = id.split('=')

  const stating = settingCitations[setting as SettingId]
    .flatMap((line) => documentLines[line].split(/[.;] /))
    .filter((part) => !part.includes('not shown'))
  expect(
    words
      .split(/[.;] /)
      .every((part) => stating.some((each) => each.includes(part.replace(/\.$/, '')))),
  ).toBe(true)
})

test('each setting cites the documentation, and each "not shown" is cited by a setting', () => {
  const cited = new Set(Object.values(settingCitations).flat())

  const notShown = Object.entries(documentLines).filter(([, text]) => /not shown/.test(text))

  expect(Object.values(settingCitations).filter((lines) => lines.length === 0)).toEqual([])
  expect(notShown.map(([id]) => id).filter((id) => !cited.has(id as DocumentLine))).toEqual([])
})

test('a setting that quotes "not shown" cites a line that says so', () => {
  const quoting = Object.entries(settingsById).filter(([, { documentation }]) =>
    documentation.includes('not shown'),
  )

  const wrong = quoting.filter(
    ([id]) =>
      !settingCitations[id as SettingId].some((line) => documentLines[line].includes('not shown')),
  )

  expect(wrong.map(([id]) => id)).toEqual([])
})
