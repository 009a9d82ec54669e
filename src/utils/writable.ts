/** A type whose fields can be assigned, for an object under construction. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] }
