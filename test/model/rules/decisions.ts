/**
 * What the profile `documented` does where the document is silent and where a change is likely. Each decision is one
 * constant, so that the model follows a change of the simulator by one line.
 */

/** `@current` stands for the project and the organization of the user. */
export const acceptsCurrent: boolean = true
