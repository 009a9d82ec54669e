/** A value in which nothing can be changed, at any depth. A tuple keeps its length. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly Immutable<Item>[]
    : Readonly<T>
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T
