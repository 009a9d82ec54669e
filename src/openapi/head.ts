import type { OpenApiOptions } from '../adapters/openapi.ts'
import { annotationChanges } from '../annotations/annotation.ts'
import { annotationShape } from '../annotations/shape.ts'
import type { FailureName } from '../errors.ts'
import { acceptedMediaTypes } from '../http/body.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { pageShape } from '../http/page.ts'
import { activityEntryShape } from '../plugins/activity-log.ts'
import { catalogueEntryShape } from '../plugins/catalogue.ts'
import { newPlugin, pluginChanges } from '../plugins/changes.ts'
import { pluginConfigurationShape } from '../plugins/configurations.ts'
import { pluginShape } from '../plugins/plugin.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { projectShape } from '../projects/project.ts'
import { version } from '../version.ts'
import { describeProfile } from './profile.ts'
import { securityOf, securitySchemes } from './security.ts'

/** What the document of the API says besides its operations. */
export function apiOptions(settings: PolicySettings): OpenApiOptions {
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
