import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { acme, annotationsPath, initech } from '../support/api/paths.ts'
import type { RequestOptions } from '../support/transports/client.ts'

/** A request. The key `phx_old` was issued before scopes existed, so that no operation refuses it. */
export type Step = readonly [method: string, path: string, options?: RequestOptions]

/** Sends a request. */
export type Send = (...step: Step) => Promise<Response>

/** A client that takes something for granted. It throws if the service does something else. */
export interface PlantedClient {
  readonly run: (send: Send) => Promise<void>
  /** Its only request */
  readonly step?: Step
  /** Settings that have to be set for the client to meet the setting at all */
  readonly settings?: SettingOverrides
}

/** The world `default` with more projects, a global plugin, and a second organization with a low access level. */
export const world = {
  ...defaultWorld,
  organizations: [
    ...defaultWorld.organizations,
    { id: initech, name: 'Initech', plugins_access_level: 3 },
  ],
  users: defaultWorld.users.map((user) => ({
    ...user,
    organizations: [...user.organizations, initech],
  })),
  projects: [
    ...defaultWorld.projects,
    {
      ...defaultWorld.projects[0],
      id: 9,
      uuid: '018f2b6e-0000-7000-8000-000000000109',
      api_token: 'phc_shop',
      name: 'Shop',
    },
  ],
  annotations: [
    ...defaultWorld.annotations,
    ...Array.from({ length: 120 }, (_, index) => ({
      ...defaultWorld.annotations[1],
      id: 1_000 + index,
      project: 9,
    })),
  ],
  plugins: defaultWorld.plugins.map((plugin) => ({ ...plugin, is_global: plugin.id === 24 })),
} as unknown as WorldJson

export const row = `${annotationsPath}1/`
export const plugins = `/api/organizations/${acme}/plugins/`
export const foreign = `/api/organizations/${initech}/plugins/`

/** @throws an error with what the client takes for granted, unless it holds */
export function must(condition: boolean, wish: string): void {
  if (!condition) throw new Error(`expected ${wish}`)
}

/** A client that takes a status for granted. */
export const status = (expected: number, ...step: Step): PlantedClient => ({
  step,
  run: async (send) => must((await send(...step)).status === expected, `${expected}`),
})

export type JsonObject = Readonly<Record<string, unknown>>

/** A client that takes a refusal for granted, whatever its status. */
export const refused = (...step: Step): PlantedClient => ({
  step,
  run: async (send) => must(!(await send(...step)).ok, 'a refusal'),
})

/** A client that takes something of a body for granted. */
export const body = (check: (body: JsonObject) => boolean, ...step: Step): PlantedClient => ({
  step,
  run: async (send) => {
    const response = await send(...step)
    must(check((await response.json()) as JsonObject), 'another body')
  },
})

/** A client that takes a header for granted. */
export const noHeader = (name: string, ...step: Step): PlantedClient => ({
  step,
  run: async (send) => must(!(await send(...step)).headers.has(name), `no ${name}`),
})

/** Whether a page has every row of its list. */
export const hasAllRows = ({ count, results }: JsonObject): boolean =>
  (results as unknown[]).length === count

/** Sends more requests than the limit of a minute allows. @returns the last response */
export const sendMany = async (send: Send): Promise<Response> => {
  for (let sent = 0; sent < 480; sent++) await send('GET', '/api/projects/', { key: 'phx_old' })
  return send('GET', '/api/projects/', { key: 'phx_old' })
}

/** Whether a body has the id of a row. */
export const hasId = ({ id }: JsonObject): boolean => typeof id === 'number'

/** The tag of the plugin in a response. */
export const tag = async (response: Response): Promise<unknown> =>
  ((await response.json()) as JsonObject).tag
