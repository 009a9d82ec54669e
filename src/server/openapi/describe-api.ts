import {
  type OpenApiDocument,
  type OpenApiOptions,
  toOpenApiDocument,
} from '../../adapters/openapi/document.ts'
import { annotationChanges, annotationShape } from '../../api/annotations/annotation.ts'
import { endpoints } from '../../api/endpoints.ts'
import { activityEntryShape } from '../../api/plugins/activity-log.ts'
import { catalogueEntryShape } from '../../api/plugins/catalogue.ts'
import { pluginConfigurationShape } from '../../api/plugins/configurations.ts'
import { pluginShape } from '../../api/plugins/plugin.ts'
import { newPlugin, pluginChanges } from '../../api/plugins/plugin-body.ts'
import { projectShape } from '../../api/projects/projects.ts'
import { acceptedMediaTypes } from '../../http/body.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { FailureName } from '../../http/failures.ts'
import { pageShape } from '../../http/page.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import { type PolicySettings, policyIds } from '../../policies/policies.ts'
import { profiles, resolvePolicies } from '../../policies/settings.ts'
import { version } from '../../utils/version.ts'

/**
 * The API as the settings have it, without examples: what its endpoints say of themselves.
 *
 * @param some of the endpoints; all unless it says
 */
export function describeApi(
  settings: PolicySettings,
  some: readonly Endpoint<never>[] = endpoints,
): OpenApiDocument {
  return toOpenApiDocument(some, settings, apiOptions(settings))
}

/** What the document of the API says besides its operations. */
function apiOptions(settings: PolicySettings): OpenApiOptions {
  return {
    info: {
      title: 'Plugin and Annotation Management API',
      version,
      description: `${introduction}\n\n${describeProfile(settings)}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/', description: "The server's own world." },
      {
        url: '/__sandbox/{sandbox}',
        description: 'The world of a sandbox.',
        variables: { sandbox: { default: 'sandbox-1', description: 'The id of a sandbox.' } },
      },
    ],
    tags: {
      plugins: 'Plugins of an organization.',
      annotations: 'Annotations of a project. They are never removed for good.',
      projects: 'Where the id of a project comes from.',
    },
    tagOf: ({ path }) => path.split('/')[4] ?? 'projects',
    responseSchemas: {
      Plugin: pluginShape,
      PluginPage: pageShape(pluginShape),
      PluginConfiguration: pluginConfigurationShape,
      PluginActivity: activityEntryShape,
      CatalogueEntry: catalogueEntryShape,
      Annotation: annotationShape,
      AnnotationPage: pageShape(annotationShape),
      Project: projectShape,
      ProjectPage: pageShape(projectShape),
    },
    requestBodies: {
      NewPlugin: newPlugin,
      PluginChanges: pluginChanges,
      AnnotationChanges: annotationChanges,
    },
    securitySchemes: securitySchemes(settings),
    securityOf: (endpoint) => securityOf(endpoint, settings),
    errorsOf: (endpoint) => commonErrors(endpoint, settings),
    parameters: settings['paths.format'] === 'off' ? [] : [formatParameter],
    mediaTypes: acceptedMediaTypes(settings),
  }
}

const introduction = `Every path is answered with and without a slash at its end, GET also as HEAD, and OPTIONS tells what a \
path offers. Of a parameter that is repeated the last value counts. Examples are answers of the simulator in its world "default"; \`x-policies\` names the policies that an \
operation consulted for them, with evidence and source. Bodies are read as leniently as the service was seen to: what \
a schema allows besides the plain type is read, too.`

const formatParameter = {
  name: 'format',
  in: 'query',
  required: false,
  description: 'The form of the answer: there is one.',
  schema: { enum: ['json', ''] },
}

/** How any request can be refused, whatever its operation. */
function commonErrors(endpoint: Endpoint<never>, settings: PolicySettings): FailureName[] {
  const { path, query = {} } = endpoint
  const isInPlace = path.includes('_id')
  const isPage = 'limit' in query
  return [
    'not_acceptable',
    'not_authenticated',
    'authentication_failed',
    'permission_denied',
    'throttled',
    'server_error',
    ...namesIf(isInPlace || settings['paths.format'] === 'on', 'not_found'),
    ...namesIf(isPage && settings['lists.limit.invalid'] === 'refused', 'validation_error'),
    // A key may stand in any body, which is read to look for it.
    ...namesIf(
      settings['keys.places'] !== 'header',
      'parse_error',
      'unsupported_media_type',
      'body_too_large',
    ),
  ]
}

function namesIf(isSo: boolean, ...names: FailureName[]): FailureName[] {
  return isSo ? names : []
}

/** Where a key may stand. OpenAPI has no words for one in a body: to it that is a request without a key. */
function securitySchemes(settings: PolicySettings): Record<string, object> {
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
function securityOf({ scope, body = null }: Endpoint<never>, settings: PolicySettings): object[] {
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

/** In words, how the settings were come by: the profile nearest to them, and what differs from it. */
function describeProfile(settings: PolicySettings): string {
  const [nearest] = profiles
    .map((profile) => ({
      profile,
      differing: differingPolicies(settings, resolvePolicies(profile)),
    }))
    .sort((a, b) => a.differing.length - b.differing.length)
  const { profile = '', differing = [] } = nearest ?? {}
  const but = differing.map((id) => `\`${id}\` set to \`${settings[id]}\``).join(', ')
  return `This is the profile \`${profile}\`${but ? `, but for ${but}` : ''}.`
}

function differingPolicies(
  settings: PolicySettings,
  others: PolicySettings,
): (keyof PolicySettings)[] {
  return policyIds.filter((id) => settings[id] !== others[id])
}
