/** The yellow name tag; its neck points to the place. */
export function NameTag({ name }: { name: string }) {
  const half = Math.max(18, name.length * 4.6 + 6)
  return (
    <g>
      <path
        d={`M${-half} -44h${2 * half}a5 5 0 0 1 5 5v19a5 5 0 0 1-5 5H6l-3 8v3a3 3 0 0 1-6 0v-3l-3-8h${6 - half}a5 5 0 0 1-5-5v-19a5 5 0 0 1 5-5Z`}
        fill="var(--tag)"
        stroke="var(--on-tag)"
        strokeWidth="1.5"
      />
      <text className="who" y="-25" textAnchor="middle">
        {name}
      </text>
      <circle r="5.5" cy="2" fill="var(--ink)" stroke="var(--sheet)" strokeWidth="2" />
    </g>
  )
}
