/** The same methods as in-process, each with a promise. */
export type Promisified<T> = {
  readonly [Name in keyof T]: T[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Result>
    : never
}
