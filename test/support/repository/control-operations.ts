import type { Endpoint } from '../../../src/http/endpoint.ts'

/** The file by which the remote client knows the endpoints: importing them would bring their schemas along. */
export function controlOperationsFile(endpoints: readonly Endpoint<never>[]): string {
  const lines = endpoints.map(({ id, method, path }) => `  ${id}: ['${method}', '${path}'],`)
  return [
    '/** The operations of the control API, written by `npm run docs`. The client needs no schemas, so it stays small. */',
    'export const controlOperations = {',
    ...lines,
    '} as const',
    '',
    '/** The id of an operation of the control API. */',
    'export type ControlOperationId = keyof typeof controlOperations',
    '',
  ].join('\n')
}
