export type Writable<T> = { -readonly [Name in keyof T]: T[Name] }
