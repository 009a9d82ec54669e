/** The time at which the clock of every test simulator stands, unless a test says otherwise. */
export const noon = '2024-06-15T12:00:00Z'
