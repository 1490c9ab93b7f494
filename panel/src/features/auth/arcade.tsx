import classes from '#features/auth/auth.module.css';

/** Arches behind arches: a portico seen from the front, and the waves of an access point. */
const columns = [0, 1, 2, 3, 4];
const rings = [118, 92, 66, 40];

export function Arcade() {
  return (
    <svg className={classes.arcade} viewBox="0 0 720 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {columns.map(column => (
        <g key={column} transform={`translate(${column * 260 - 160} 0)`}>
          {rings.map((radius, ring) => (
            <path
              key={radius}
              d={`M${-radius} 900V560a${radius} ${radius} 0 0 1 ${radius * 2} 0V900`}
              fill="#fff"
              fillOpacity={0.035 + ring * 0.012}
              stroke="#fff"
              strokeOpacity={0.16 + ring * 0.07}
              strokeWidth="1.500"
            />
          ))}
          <circle cx="0" cy="560" r="7" fill="#fff" fillOpacity=".9" />
        </g>
      ))}
    </svg>
  );
}
