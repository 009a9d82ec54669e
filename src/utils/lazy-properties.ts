/**
 * Defines properties whose values are created on first use: objects in large numbers rarely need all of theirs.
 *
 * @param create creates the value of each property
 */
export function defineLazily<T extends object>(
  prototype: T,
  create: { readonly [Name in keyof T]?: (owner: T) => T[Name] },
): void {
  for (const name of Object.keys(create) as (keyof T & string)[]) {
    Object.defineProperty(prototype, name, {
      get(this: T) {
        const value = create[name]?.(this)
        Object.defineProperty(this, name, { value, enumerable: true })
        return value
      },
    })
  }
}
