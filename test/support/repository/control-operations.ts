import type { Endpoint } from '../../../src/http/endpoint.ts'

/** Writes the table of endpoints for the remote client, which must not import their schemas. */
export function controlOperationsFile(endpoints: readonly Endpoint<never>[]): string {
  // Probes are for programs that supervise a server.
  const called = endpoints.filter(({ path }) => !path.startsWith('/__admin/health/'))
  const lines = called.map(
    ({ id, method, path }) => `  ${id}: '${method} ${path.replace('/__admin', '')}',`,
  )
  return [
    '/** The operations of the control API below `/__admin`, written by `npm run docs`. The client needs no schemas. */',
    'export const controlOperations = {',
    ...lines,
    '} as const',
    '',
    '/** The id of an operation of the control API. */',
    'export type ControlOperationId = keyof typeof controlOperations',
    '',
  ].join('\n')
}
