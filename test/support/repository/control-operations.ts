import type { Endpoint } from '../../../src/http/endpoint.ts'

/** The file by which the remote client knows the endpoints: importing them would bring their schemas along. */
export function controlOperationsFile(endpoints: readonly Endpoint<never>[]): string {
  const lines = endpoints.map(({ id, method, path }) => `  ${id}: ['${method}', '${path}'],`)
  return [
    '/** The endpoints of the control API, as npm run docs writes them: a page that imports only the client stays small. */',
    'export const controlOperations = {',
    ...lines,
    '} as const',
    '',
    '/** The operation id of an endpoint of the control API. */',
    'export type ControlOperationId = keyof typeof controlOperations',
    '',
  ].join('\n')
}
