import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'

/**
 * What is called documented, and the words of the documentation that state it. Whoever adds a row finds the words in the
 * documentation, not in the code. Without such words, a value is observed or assumed.
 */
const statements: Readonly<Record<string, string>> = {
  'annotations.search.reach=list':
    'List all annotations: GET; annotation:read; query: limit (integer), offset (integer), search',
  'plugins.delete.global=deleted': 'Delete plugin: DELETE; plugin:write; 204, no body',
  'plugins.global.visibility=own_organization': 'Plugins, scoped to an organization.',
  'plugins.config_schema.null=accepted': 'config_schema: structured value, may be null',
  'plugins.capabilities.null=accepted': 'capabilities: structured value, may be null',
  'plugins.check_for_updates.body=plugin': 'Check for updates: GET; 200, Plugin shape',
  'plugins.source.body=plugin': 'Retrieve source: GET; 200, Plugin shape',
  'plugins.update_source.body=plugin':
    'Update source: PATCH; same body fields as create; 200, Plugin shape',
  'plugins.upgrade.body=validated': 'Upgrade: POST; same body fields as create',
  'plugins.extras.crashes=usual': 'Check for updates: GET; 200, Plugin shape',
  'plugins.activity.body=plugin': 'Activity: GET; 200, Plugin shape',
  'plugins.exports_unsubscribe_configs.body=plugin':
    'Exports unsubscribe configs: GET; 200, Plugin shape',
  'plugins.repository.body=plugin': 'Repository: GET; 200, Plugin shape',
  'plugins.unused.body=plugin': 'Unused: GET; 200, Plugin shape',
  'keys.write_implies_read=no': 'Read operations (list, retrieve) require the read scope',
  'keys.empty_scopes=nothing': 'Each operation requires an API key scope',
  'keys.places=header': 'Each request carries the header Authorization with the value Bearer',
  'fields.nullable=documented': 'structured value, may be null',
  'versioning=none': 'hedgehog_config: object with arbitrary string keys',
  'annotations.soft_delete':
    'deleted set to true; caller holds the annotation:write scope; deleted = true; the record is kept',
  'annotations.hard_delete':
    'any; DELETE on the annotation; always; no change; hard deletion is not allowed',
  'plugins.hard_delete': 'Delete plugin: DELETE; plugin:write; 204, no body',
  'paths.slash':
    'shown without a trailing slash; the request examples address them with a trailing slash',
  'header.content-type': 'All requests and responses are JSON over HTTP.',
}

interface Claim {
  readonly evidence: string
  readonly documentation: readonly string[]
}

interface Catalogue {
  readonly policies: readonly {
    readonly id: string
    readonly documentation: readonly string[]
    readonly values: readonly { readonly value: string; readonly evidence: string }[]
  }[]
  readonly constants: readonly (Claim & { readonly id: string })[]
}

/** Every value and rule by its id, as `understudy evidence` prints it. */
async function readClaims(): Promise<Map<string, Claim>> {
  const { stdout } = await run(['evidence', '--json'])
  const { policies, constants }: Catalogue = JSON.parse(stdout)
  const values = policies.flatMap(({ id, documentation, values }) =>
    values.map(({ value, evidence }) => [`${id}=${value}`, { evidence, documentation }] as const),
  )
  return new Map([...values, ...constants.map((constant) => [constant.id, constant] as const)])
}

test('only what words of the documentation state is called documented', async () => {
  const claims = await readClaims()

  const documented = [...claims].filter(([, { evidence }]) => evidence === 'documented')

  expect(documented.map(([id]) => id).sort()).toEqual(Object.keys(statements).sort())
})

test.each(Object.entries(statements))('%s cites a line that states it', async (id, words) => {
  const claims = await readClaims()

  const { documentation } = claims.get(id) as Claim

  const stating = documentation
    .flatMap((line) => line.split(/[.;] /))
    .filter((part) => !part.includes('not shown'))
  expect(
    words
      .split(/[.;] /)
      .every((part) => stating.some((each) => each.includes(part.replace(/\.$/, '')))),
  ).toBe(true)
})
