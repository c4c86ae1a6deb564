/** A line of a short run's output that begins with this goes into its closing line: a figure, never a reason to fail. */
export const FIGURE = 'figure: '
