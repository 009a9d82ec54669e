import { expect, test } from 'vitest'
import { notAllowed, unsupported } from '../../support/api/errors.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test.each([
  ['POST', `${annotationsPath}1/`],
  ['PUT', annotationsPath],
  ['DELETE', annotationsPath],
  ['POST', '/api/projects/'],
  ['PROPFIND', annotationsPath],
])(
  'live, %s of %s, which the path does not have, rejects keys with scopes',
  async (method, path) => {
    const { ask } = await start({ profile: 'live' })
    const send = (keys: readonly string[]) =>
      Promise.all(keys.map((key) => ask(method, path, { key })))

    const scoped = await send(['phx_all', 'phx_annotations', 'phx_plugins'])
    const unscoped = await send(['phx_old', 'phx_none'])

    expect(scoped).toEqual([unsupported(), unsupported(), unsupported()])
    expect(unscoped).toEqual([notAllowed(method), notAllowed(method)])
  },
)
