// The bodies, parameters and results of all operations of the admin API, as types. The admin document describes them.
import type { AdminOperation } from '../../src/admin/operation.ts'
import type { Operations } from '../../src/admin/operations.ts'

type BodyOf<Operation> =
  Operation extends AdminOperation<infer Body, infer _P, infer _R, infer _Q> ? Body : never

export type Bodies = { [Name in keyof Operations]: BodyOf<Operations[Name]> }
export type Queries = {
  [Name in keyof Operations]: Parameters<Operations[Name]['run']>[0]['query']
}
export type Results = { [Name in keyof Operations]: Awaited<ReturnType<Operations[Name]['run']>> }
