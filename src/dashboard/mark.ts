/** The lines of the icon with their colours, in a square of 32, the ones behind first. */
export const markLines: readonly (readonly [path: string, colour: string])[] = [
  ['M13.5 7.5v8.5a5 5 0 0 0 10 0v-8.5', '#6ed2be'],
  ['M8.5 12v8a5 5 0 0 0 10 0v-8', '#fff'],
]
