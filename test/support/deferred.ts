interface Deferred {
  readonly promise: Promise<void>
  resolve(): void
}

/** Creates a promise that the test resolves. */
export function createDeferred(): Deferred {
  let resolve = () => {}
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve: () => resolve() }
}
