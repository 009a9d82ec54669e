export const noon = '2024-06-15T12:00:00Z'
