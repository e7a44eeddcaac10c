/** The pages of this area: its routes. An item of the navigation appears as soon as its route exists. */

export const settingsRoutes = [] as const
