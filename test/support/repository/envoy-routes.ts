import { parse } from 'yaml'
import { readDeployFile } from './deployment.ts'

interface Matcher {
  readonly exact?: string
  readonly prefix?: string
  readonly safe_regex?: { readonly regex: string }
}

interface Condition {
  readonly name: string
  readonly string_match: Matcher
}

interface Rewrite {
  readonly pattern: { readonly regex: string }
  readonly substitution: string
}

export interface Route {
  readonly match: {
    readonly prefix?: string
    readonly path_separated_prefix?: string
    readonly safe_regex?: { readonly regex: string }
    readonly headers?: readonly Condition[]
    readonly query_parameters?: readonly Condition[]
  }
  readonly route: {
    readonly cluster: string
    readonly timeout: string
    readonly retry_policy?: { readonly retry_on: string }
    readonly hash_policy?: readonly {
      readonly header: { readonly header_name: string; readonly regex_rewrite: Rewrite }
    }[]
  }
  readonly request_headers_to_add?: readonly { readonly header: { readonly key: string } }[]
}

export interface Cluster {
  readonly name: string
  readonly lb_policy?: string
  readonly load_assignment: {
    readonly cluster_name: string
    readonly endpoints?: readonly {
      readonly lb_endpoints: readonly {
        readonly endpoint: {
          readonly address: {
            readonly socket_address: { readonly address: string; readonly port_value: number }
          }
        }
        readonly metadata?: object
      }[]
    }[]
  }
}

const { static_resources: resources } = parse(readDeployFile('envoy.yaml'))

export const clusters: readonly Cluster[] = resources.clusters
export const listener = resources.listeners[0]
export const connectionManager = listener.filter_chains[0].filters[0].typed_config
export const virtualHost = connectionManager.route_config.virtual_hosts[0]
const routes: readonly Route[] = virtualHost.routes

export interface EnvoyRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Where Envoy sends a request, and the text whose hash selects the replica. */
export function routeOf(request: EnvoyRequest): {
  cluster: string
  hashed?: string
  adds?: string
} {
  const { method = 'GET', path, headers = {} } = request
  const all: Record<string, string> = { ...headers, ':method': method, ':path': path }
  const [pathname = '', search = ''] = path.split('?')
  const query = Object.fromEntries(search.split('&').map((pair) => pair.split('=')))
  const found = routes.find(
    ({ match }) =>
      matchesPath(match, pathname) &&
      (match.headers ?? []).every(({ name, string_match }) => accepts(string_match, all[name])) &&
      (match.query_parameters ?? []).every((each) => accepts(each.string_match, query[each.name])),
  )
  if (!found) throw new Error(`No route matches ${path}.`)
  const [policy] = found.route.hash_policy ?? []
  const added = found.request_headers_to_add?.[0]?.header.key
  return {
    cluster: found.route.cluster,
    ...(policy && {
      hashed: rewrite(all[policy.header.header_name] ?? '', policy.header.regex_rewrite),
    }),
    ...(added && { adds: added }),
  }
}

/** Replaces every match, as RE2 does in Envoy. */
export function rewrite(text: string, { pattern, substitution }: Rewrite): string {
  return text.replace(new RegExp(pattern.regex, 'g'), substitution.replaceAll('\\1', '$1'))
}

function matchesPath(match: Route['match'], pathname: string): boolean {
  const { prefix, path_separated_prefix: separated, safe_regex } = match
  if (prefix !== undefined) return pathname.startsWith(prefix)
  if (separated !== undefined) return `${pathname}/`.startsWith(`${separated}/`)
  return isWhole(safe_regex?.regex, pathname)
}

function accepts({ exact, prefix, safe_regex }: Matcher, value: string | undefined): boolean {
  if (value === undefined) return false
  if (exact !== undefined) return value === exact
  if (prefix !== undefined) return value.startsWith(prefix)
  return isWhole(safe_regex?.regex, value)
}

/** A regular expression of Envoy matches whole texts only. */
function isWhole(regex = '', text: string): boolean {
  return new RegExp(`^(?:${regex})$`).test(text)
}
