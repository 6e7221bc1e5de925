# near.awk - exits 1 unless two tables beside each other, the exact one and the
# approximate one, tabs between, are the same but for medians and percentiles,
# and these within 1/256; some have to differ

BEGIN { FS = "\t" }
NR == 1 { for (i = 1; i <= NF; i++) title[i] = $i; half = NF / 2; next }
{
	for (i = 1; i <= half; i++) {
		d = $i - $(i + half)
		d = d < 0 ? -d : d
		m = $i < 0 ? -$i : $i
		if (title[i] ~ /^(Med|P[0-9][0-9]) / ? d * 256 > m : $i "" != $(i + half) "") {
			print title[i] ": " $i " and " $(i + half)
			bad = 1
		}
		differ += d > 0
	}
}
END { if (differ == 0) print "all is exact"; exit bad || differ == 0 }
