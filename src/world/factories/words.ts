/** What teams call their projects. */
export const projectNames: readonly string[] = [
  'Web shop',
  'Mobile app',
  'Admin',
  'Landing pages',
  'Partner portal',
  'Help centre',
  'Checkout',
  'Blog',
  'Customer portal',
  'Developer docs',
]

/** What teams call their charts. */
export const itemNames: readonly string[] = [
  'Signups',
  'Weekly active users',
  'Checkout funnel',
  'Revenue by plan',
  'Retention by week',
  'Error rate',
  'Orders by country',
  'Time to first order',
  'Churn',
  'Page views',
  'Search without result',
  'Invitations sent',
  'Trial to paid',
  'Refunds',
]

export const zones: readonly string[] = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Tokyo',
]

export const colors: readonly string[] = [
  'green',
  'red',
  'blue',
  'purple',
  'dark',
  'light',
  'sepia',
]

export const accessories: readonly string[] = [
  'cap',
  'beret',
  'glasses',
  'sunglasses',
  'flag',
  'tophat',
]
