tq-stats -r account,gaps_sum -f csv 'a b.sqlite'
