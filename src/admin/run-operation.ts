import * as z from 'zod'
import { Failure } from '../http/failures.ts'
import { unknownSandboxReason } from '../simulator/sandboxes/sandboxes.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { ConflictError, isUsageError, LimitError, parseOptions } from '../utils/errors.ts'
import type { AdminCall, AdminOperation } from './operation.ts'

export type AnyOperation = AdminOperation<unknown, string[], unknown>

/** What an operation without a query, or without a body, takes. */
const nothing = z.strictObject({})

/**
 * Runs an operation for a client.
 *
 * @param call its query and its body as they were sent
 * @throws Failure for what the client did wrong
 */
export async function runOperation(
  operation: AnyOperation,
  call: AdminCall,
  params: readonly string[],
): Promise<unknown> {
  try {
    // Whoever asks for the health may add a parameter against caches.
    if (!operation.query && !operation.isOpen) parseOptions(nothing, call.query, 'read the query')
    const body = parseOptions(operation.body ?? nothing, call.body, 'read the body')
    return await operation.run({ ...call, body }, ...params)
  } catch (error) {
    throw toFailure(error)
  }
}

/** @throws Failure for an unknown sandbox */
export function simulatorOf(server: Simulator, sandboxId: string | undefined): Simulator {
  const simulator = sandboxId === undefined ? server : server.sandboxes.get(sandboxId)
  if (simulator) return simulator
  throw new Failure('not_found', `Sandbox ${sandboxId} not found: ${unknownSandboxReason}.`)
}

function toFailure(error: unknown): unknown {
  if (!isUsageError(error)) return error
  const { message, field, details } = error
  if (error instanceof LimitError) return new Failure('throttled', message)
  return new Failure('validation_error', message, {
    ...(error instanceof ConflictError && { status: 409, code: 'conflict' }),
    ...(field !== null && { attr: field }),
    ...(details.length > 0 && { issues: details.map(({ path, text }) => ({ path, text })) }),
  })
}
