import type { Endpoint } from '../http/endpoint.ts'
import { resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'

/** Where a key may stand. OpenAPI has no words for one in a body: to it that is a request without a key. */
export function securitySchemes(settings: PolicySettings): Record<string, object> {
  const inHeader = {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal API key. The scopes of an operation are those that it asks of the key; a key with `*`, or from before scopes, has every one.',
  }
  const inQuery = {
    type: 'apiKey',
    in: 'query',
    name: 'personal_api_key',
    description:
      'The same key in the query, or by this name in the body; then none of the schemes is needed.',
  }
  return {
    personalApiKey: inHeader,
    ...(settings['keys.places'] === 'header' ? {} : { personalApiKeyInQuery: inQuery }),
  }
}

/** What an operation asks of a key: one of the alternatives. */
export function securityOf(
  { scope, body = null }: Endpoint<never>,
  settings: PolicySettings,
): object[] {
  const rule = resolveByPolicy(scope, settings)
  const alternatives: string[][] = rule.includes(':') ? [[rule]] : [[]]
  if (rule.endsWith(':read') && settings['keys.write_implies_read'] === 'yes') {
    alternatives.push([rule.replace(/:read$/, ':write')])
  }
  const schemes = Object.keys(securitySchemes(settings))
  const inBody = schemes.length > 1 && resolveByPolicy<unknown>(body, settings) !== null ? [{}] : []
  return [
    ...schemes.flatMap((scheme) => alternatives.map((scopes) => ({ [scheme]: scopes }))),
    ...inBody,
  ]
}
