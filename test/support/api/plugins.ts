import emptyWorld from '../../../fixtures/empty.json' with { type: 'json' }
import type { WorldJson } from '../../../src/world/world-json.ts'
import type { Reply } from '../lanes/client.ts'

export const acme = '018f2b6e-0000-7000-8000-00000000000a'
export const initech = '018f2b6e-0000-7000-8000-00000000000b'

/** The paths of the plugins of Acme, and of Initech. */
export const plugins = `/api/organizations/${acme}/plugins/`
export const elsewhere = `/api/organizations/${initech}/plugins/`

/** The first plugin of the world `empty`, with default values. */
export const bare = {
  id: 1,
  plugin_type: null,
  name: null,
  description: null,
  url: null,
  icon: null,
  config_schema: {},
  tag: null,
  latest_tag: null,
  is_global: false,
  organization_id: acme,
  organization_name: 'Acme',
  capabilities: {},
  metrics: {},
  public_jobs: {},
}

const [ada] = emptyWorld.users

/**
 * Two organizations without plugins. Ada belongs to both, and has the keys `phx_all` and `phx_old`, a key without
 * scopes. Noor belongs only to Initech, and has the keys `phx_noor` and `phx_noor_old`.
 */
export function neighbours(levels: { acme?: number; initech?: number } = {}): WorldJson {
  return {
    organizations: [
      { id: acme, name: 'Acme', plugins_access_level: levels.acme ?? 9 },
      { id: initech, name: 'Initech', plugins_access_level: levels.initech ?? 9 },
    ],
    projects: [
      { id: 1, organization: acme },
      { id: 2, organization: initech },
    ],
    users: [
      {
        ...ada,
        id: 1,
        first_name: 'Ada',
        email: 'ada@example.com',
        organizations: [acme, initech],
      },
      { ...ada, id: 2, first_name: 'Noor', email: 'noor@example.com', organizations: [initech] },
    ] as NonNullable<WorldJson['users']>,
    keys: [
      { value: 'phx_all', user: 1, scopes: ['*'] },
      { value: 'phx_old', user: 1, scopes: null },
      { value: 'phx_noor', user: 2, scopes: ['*'] },
      { value: 'phx_noor_old', user: 2, scopes: null },
    ],
  }
}

export function invalid(attr: string | null, code: string, detail: string): Reply {
  return { status: 400, body: { type: 'validation_error', code, detail, attr } }
}

export function forbidden(detail = 'You do not have permission to perform this action.'): Reply {
  const code = 'permission_denied'
  return { status: 403, body: { type: 'authentication_error', code, detail, attr: null } }
}

export const notFound: Reply = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
}

export function notAllowed(method: string): Reply {
  const detail = `Method "${method}" not allowed.`
  return {
    status: 405,
    body: { type: 'invalid_request', code: 'method_not_allowed', detail, attr: null },
  }
}

export const crashed: Reply = {
  status: 500,
  body: {
    type: 'server_error',
    code: 'error',
    detail: 'A server error occurred.',
    attr: null,
  },
}

/** The response of the live profile to a key with scopes, for each of the eight extra operations. */
export const unsupported: Reply = forbidden('This action does not support Personal API Key access')

/** The ids of the rows of a page. */
export function idsOf({ body }: Reply): number[] {
  return (body as { results: { id: number }[] }).results.map(({ id }) => id)
}
