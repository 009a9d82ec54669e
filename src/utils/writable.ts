/** The same while it is put together: whoever gets it only reads. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] }
