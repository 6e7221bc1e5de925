for (const th of document.querySelectorAll("th:not(.b)")) {
	const text = th.matches(".l:not(.n)");
	const sort = () => {
		const body = th.closest("table").tBodies[0], i = th.cellIndex;
		const up = th.ariaSort ? th.ariaSort == "descending" : text;
		const of = (row) => {
			const cell = row.cells[i];
			return text ? cell.textContent : +(cell.dataset.v ?? -1);
		};
		for (const other of th.parentNode.cells)
			other.removeAttribute("aria-sort");
		th.setAttribute("aria-sort", up ? "ascending" : "descending");
		body.append(...[...body.rows].sort((a, b) => {
			const x = of(a), y = of(b);
			return x == y ? 0 : x > y == up ? 1 : -1;
		}));
	};
	th.tabIndex = 0;
	th.onclick = sort;
	th.onkeydown = (e) => { if (e.key == "Enter") sort(); };
}
for (const c of document.querySelectorAll(".cmd")) {
	const copy = () => {
		getSelection().selectAllChildren(c);
		navigator.clipboard?.writeText(c.textContent);
	};
	c.tabIndex = 0;
	c.onclick = copy;
	c.onkeydown = (e) => { if (e.key == "Enter") copy(); };
}
